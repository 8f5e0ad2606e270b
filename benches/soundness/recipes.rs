//! How each refactoring of the catalog is asked for at a place chosen at random.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lspwright::refactor::catalog;
use lspwright::syntax;
use serde_json::{Value, json};

use crate::packages::Family;
use crate::random::Random;
use crate::spots::{Place, Spot, spots};

/// A refactoring with the places that it is for.
struct Recipe {
    name: &'static str,
    places: &'static [Place],
    params: fn(&Asked<'_>, &mut Random) -> Option<Value>,
}

/// What parameters are made from.
struct Asked<'a> {
    spot: &'a Spot,
    family: Family,
    files: &'a [String],
}

/// A refactoring to be tried: the tool's own arguments.
#[derive(Clone)]
pub struct Attempt {
    pub name: &'static str,
    pub target: String,
    pub params: Value,
    /// What stands at the place.
    pub text: String,
}

/// Everything that can be chosen in one package.
pub struct Recipes {
    family: Family,
    recipes: Vec<&'static Recipe>,
    spots: BTreeMap<Place, Vec<Spot>>,
    files: Vec<String>,
}

const fn recipe(
    name: &'static str,
    places: &'static [Place],
    params: fn(&Asked<'_>, &mut Random) -> Option<Value>,
) -> Recipe {
    Recipe { name, places, params }
}

const RECIPES: &[Recipe] = &[
    recipe("extract-function", &[Place::Lines], named),
    recipe("extract-method", &[Place::MethodLines], named),
    recipe("inline-method", &[Place::Method, Place::Function], nothing),
    recipe("inline-temp", &[Place::Local], nothing),
    recipe("replace-temp-with-query", &[Place::Local], named),
    recipe("introduce-explaining-variable", &[Place::Expression], named),
    recipe("split-temporary-variable", &[Place::Local], nothing),
    recipe("remove-assignments-to-parameters", &[Place::Function, Place::Method], nothing),
    recipe("replace-method-with-method-object", &[Place::Method, Place::Function], class_named),
    recipe("move-method", &[Place::Method], to_class_or_module),
    recipe("move-field", &[Place::ClassField], to_class),
    recipe("extract-class", &[Place::Class], class_of_fields),
    recipe("move-symbol", &[Place::Function, Place::Class], to_file),
    recipe("merge-module", &[Place::Module], into_file),
    recipe("rename-method", &[Place::Method], renamed),
    recipe("add-parameter", &[Place::Function, Place::Method], parameter_added),
    recipe("remove-parameter", &[Place::Function, Place::Method], parameter_removed),
    recipe("introduce-parameter-object", &[Place::Function, Place::Method], parameters_grouped),
    recipe("replace-parameter-with-method-call", &[Place::Function, Place::Method], one_parameter),
    recipe("separate-query-from-modifier", &[Place::Function, Place::Method], named),
    recipe("combine-functions-into-class", &[Place::Function], class_of_kin),
    recipe("hide-delegate", &[Place::Class], of_a_field),
    recipe("remove-middle-man", &[Place::Class], nothing),
    recipe("hide-method", &[Place::Method], nothing),
    recipe("inline-class", &[Place::Class], into_class),
    recipe("preserve-whole-object", &[Place::Function, Place::Method], nothing),
    recipe("remove-setting-method", &[Place::Method], a_setter),
    recipe("replace-constructor-with-factory-function", &[Place::Class], named),
    recipe("self-encapsulate-field", &[Place::Field, Place::ClassField], nothing),
    recipe("encapsulate-field", &[Place::Field, Place::ClassField], nothing),
    recipe("encapsulate-collection", &[Place::Collection], nothing),
    recipe("replace-data-value-with-object", &[Place::Field, Place::ClassField], class_named),
    recipe("replace-array-with-object", &[Place::Local], class_named),
    recipe("replace-magic-number-with-symbolic-constant", &[Place::Number], number_named),
    recipe("decompose-conditional", &[Place::If], nothing),
    recipe("consolidate-conditional-expression", &[Place::If], nothing),
    recipe("consolidate-duplicate-conditional-fragments", &[Place::If], nothing),
    recipe("remove-control-flag", &[Place::Local], nothing),
    recipe("replace-nested-conditional-with-guard-clauses", &[Place::Function, Place::Method], nothing),
    recipe("replace-conditional-with-polymorphism", &[Place::If, Place::Method], nothing),
    recipe("introduce-null-object", &[Place::Field, Place::ClassField], class_named),
    recipe("introduce-assertion", &[Place::If], assumed),
    recipe("pull-up-method", &[Place::Method], nothing),
    recipe("push-down-method", &[Place::Method], to_heir),
    recipe("pull-up-field", &[Place::ClassField], nothing),
    recipe("push-down-field", &[Place::ClassField], to_heir),
    recipe("pull-up-constructor-body", &[Place::Class], nothing),
    recipe("extract-subclass", &[Place::Class], class_of_methods),
    recipe("extract-superclass", &[Place::Class], class_of_methods),
    recipe("extract-interface", &[Place::Class], class_named),
    recipe("collapse-hierarchy", &[Place::Class], nothing),
    recipe("form-template-method", &[Place::Method], nothing),
    recipe("replace-inheritance-with-delegation", &[Place::Class], nothing),
    recipe("replace-delegation-with-inheritance", &[Place::Class], nothing),
];

impl Recipes {
    /// Reads the places of a package's sources. `modules` are absolute.
    pub fn read(family: Family, root: &Path, modules: &[PathBuf]) -> Self {
        let mut found: BTreeMap<Place, Vec<Spot>> = BTreeMap::new();
        let mut files = Vec::new();
        for path in modules {
            let (Ok(text), Ok(relative)) = (fs::read_to_string(path), path.strip_prefix(root)) else { continue };
            files.push(relative.to_string_lossy().into_owned());
            for spot in spots(relative, &text) {
                found.entry(spot.place).or_default().push(spot);
            }
        }
        let is_there = |recipe: &&Recipe| {
            catalog::refactoring(recipe.name).is_some_and(|one| one.availability(families(family)).is_ok())
        };
        Self { family, recipes: RECIPES.iter().filter(is_there).collect(), spots: found, files }
    }

    /// Returns a request of the kind whose turn it is.
    pub fn attempt(&self, number: usize, random: &mut Random) -> Option<Attempt> {
        let recipe = self.recipes.get(number % self.recipes.len().max(1))?;
        let here: Vec<&Spot> = recipe.places.iter().filter_map(|place| self.spots.get(place)).flatten().collect();
        let spot = random.pick(&here)?;
        let asked = Asked { spot, family: self.family, files: &self.files };
        let params = (recipe.params)(&asked, random)?;
        Some(Attempt { name: recipe.name, target: spot.target.clone(), params, text: spot.text.clone() })
    }
}

fn families(family: Family) -> syntax::Family {
    match family {
        Family::Python => syntax::Family::Python,
        Family::TypeScript | Family::JavaScript => syntax::Family::Script,
        Family::Solidity => syntax::Family::Solidity,
    }
}

fn nothing(_: &Asked<'_>, _: &mut Random) -> Option<Value> {
    Some(json!({}))
}

/// A name in the language's style, which stands nowhere.
fn fresh(asked: &Asked<'_>, random: &mut Random) -> String {
    let number = random.below(1000);
    if asked.family == Family::Python { format!("zq_new_{number}") } else { format!("zqNew{number}") }
}

fn named(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    Some(json!({ "name": fresh(asked, random) }))
}

fn renamed(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    let is_fixed = asked.spot.text.starts_with("__") || asked.spot.text == "constructor";
    (!is_fixed).then(|| json!({ "new_name": fresh(asked, random) }))
}

fn class_named(_: &Asked<'_>, random: &mut Random) -> Option<Value> {
    Some(json!({ "name": format!("ZqNew{}", random.below(1000)) }))
}

fn to_class(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    random.pick(&asked.spot.classes).map(|class| json!({ "to": class }))
}

fn to_class_or_module(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    if random.percent(50) { Some(json!({ "to": "module" })) } else { to_class(asked, random) }
}

fn to_heir(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    random.pick(&asked.spot.heirs).map(|class| json!({ "to": class }))
}

fn class_of_methods(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    let method = random.pick(&asked.spot.methods)?;
    Some(json!({ "name": format!("ZqNew{}", random.below(1000)), "members": [method] }))
}

fn class_of_fields(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    let field = random.pick(&asked.spot.fields)?;
    Some(json!({ "name": format!("ZqNew{}", random.below(1000)), "fields": [field] }))
}

fn class_of_kin(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    let functions = asked.spot.kin.get(..2)?;
    Some(json!({ "name": format!("ZqNew{}", random.below(1000)), "functions": functions }))
}

fn of_a_field(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    random.pick(&asked.spot.fields).map(|field| json!({ "delegate": field }))
}

fn a_setter(asked: &Asked<'_>, _: &mut Random) -> Option<Value> {
    asked.spot.text.starts_with("set").then(|| json!({}))
}

fn into_class(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    random.pick(&asked.spot.classes).map(|class| json!({ "into": class }))
}

/// Half of them go to a file that is there, half to a new one beside.
fn to_file(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    if random.percent(50) {
        return another_file(asked, random).map(|file| json!({ "to": file }));
    }
    let (own, _) = asked.spot.target.split_once(':')?;
    let (stem, ending) = own.rsplit_once('.')?;
    let mark = if asked.family == Family::Python { "_zq" } else { "Zq" };
    Some(json!({ "to": format!("{stem}{mark}.{ending}") }))
}

fn into_file(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    another_file(asked, random).map(|file| json!({ "into": file }))
}

/// A file of the same directory.
fn another_file<'a>(asked: &Asked<'a>, random: &mut Random) -> Option<&'a String> {
    let own = asked.spot.target.split(':').next()?;
    let beside: Vec<&String> =
        asked.files.iter().filter(|file| *file != own && Path::new(file).parent() == Path::new(own).parent()).collect();
    random.pick(&beside).copied()
}

fn parameter_added(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    Some(match asked.family {
        Family::Python => json!({ "name": fresh(asked, random), "default": "None" }),
        _ => json!({ "name": fresh(asked, random), "param_type": "number", "default": "0" }),
    })
}

fn parameter_removed(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    random.pick(&asked.spot.parameters).map(|name| json!({ "name": name }))
}

fn one_parameter(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    random.pick(&asked.spot.parameters).map(|name| json!({ "parameter": name }))
}

fn parameters_grouped(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    let grouped = asked.spot.parameters.get(..2)?;
    Some(json!({ "name": format!("ZqNew{}", random.below(1000)), "parameters": grouped }))
}

fn number_named(asked: &Asked<'_>, random: &mut Random) -> Option<Value> {
    Some(json!({ "name": format!("ZQ_NEW_{}", random.below(1000)), "value": asked.spot.text }))
}

fn assumed(asked: &Asked<'_>, _: &mut Random) -> Option<Value> {
    let condition =
        if asked.family == Family::Python { "len(__name__) > 0" } else { "typeof undefined === 'undefined'" };
    Some(json!({ "condition": condition }))
}
