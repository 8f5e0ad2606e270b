//! `list_modules` and `list_declarations`: what there is.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use super::args::{ListArgs, ModulesArgs, Visibility};
use super::view::{View, Wanted};
use crate::declarations::Module;
use crate::inspect::language_name;
use crate::render::json::{schema_of_input, schema_of_output};
use crate::session::Parsed;
use crate::syntax::{Declaration, Language, entries, head};
use crate::tools::answer::Form;
use crate::tools::call::parse;
use crate::tools::schema::tidy;
use crate::tools::tool::{Effect, Tool, Toolset};
use crate::tools::{Answer, Context, ToolError};

pub(in crate::tools) const LIST_MODULES: Tool = Tool {
    name: "list_modules",
    title: "List modules",
    description: "The project's source files, with the names that their language has for them.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ModulesArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<ModulesJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&list_modules(context, parse(args)?).await?) }),
};

pub(in crate::tools) const LIST_DECLARATIONS: Tool = Tool {
    name: "list_declarations",
    title: "List declarations",
    description: "What a file or the files below a directory declare, each with the id that stays its own: functions, \
        classes, their members.",
    toolset: Toolset::Explore,
    effect: Effect::Reads,
    input: || tidy(schema_of_input::<ListArgs>()),
    form: Form::Json(|| tidy(schema_of_output::<DeclarationsJson>())),
    run: |context, args| Box::pin(async move { Answer::of(&list_declarations(context, parse(args)?).await?) }),
};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Modules")]
pub struct ModulesJson {
    pub modules: Vec<ModuleJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct ModuleJson {
    pub path: String,
    /// As the language calls it.
    pub name: String,
    pub language: String,
    pub lines: u32,
    /// It has a draft that is not saved.
    pub dirty: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(title = "Declarations")]
pub struct DeclarationsJson {
    pub declarations: Vec<DeclarationJson>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct DeclarationJson {
    pub id: String,
    pub name: String,
    pub kind: String,
    pub is_pub: bool,
    /// The id of what it is a member of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// Of the first line, 1-based.
    pub line: u32,
    /// Where several files are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// A longer head is cut.
const LONGEST_HEAD: usize = 300;

/// Lists source files.
pub async fn list_modules(context: &Context, args: ModulesArgs) -> Result<ModulesJson, ToolError> {
    let place = args.path.as_deref().unwrap_or(".");
    let view = View::of(context, args.project_root.as_deref(), place).await?;
    let below = view.path(place)?;
    let wanted = args.language.as_deref().map(|word| {
        let known = Language::ALL.into_iter().any(|language| language_name(language) == word);
        known.then_some(word).ok_or_else(|| {
            let names: Vec<&str> =
                Language::ALL.into_iter().filter(|it| *it != Language::Tsx).map(language_name).collect();
            ToolError::invalid(format!("no language is called `{word}`"))
                .hint(format!("there are {}", names.join(", ")))
        })
    });
    let wanted = wanted.transpose()?;
    let modules =
        view.index.modules(&below).filter(|module| wanted.is_none_or(|it| language_name(module.language) == it));
    let drafts = view.project.dirty();
    let modules = modules.map(|module| ModuleJson {
        dirty: drafts.contains(&module.path),
        path: module.path.clone(),
        name: name(&view, module),
        language: language_name(module.language).to_owned(),
        lines: module.lines,
    });
    Ok(ModulesJson { modules: modules.collect() })
}

/// Returns what a language calls a module.
fn name(view: &View, module: &Module) -> String {
    let path = module.path.as_str();
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    match module.language {
        Language::Python => {
            let parts: Vec<&str> = stem.split('/').collect();
            // What lies above the outermost package is no part of the name.
            let is_package =
                |count: usize| view.index.module(&format!("{}/__init__.py", parts[..count].join("/"))).is_some();
            let first = (1..parts.len()).find(|count| is_package(*count)).map_or(parts.len() - 1, |count| count - 1);
            let name = parts[first..].join(".");
            name.strip_suffix(".__init__").unwrap_or(&name).to_owned()
        }
        Language::Rust => {
            let inner = stem.split_once("src/").map_or(stem, |(_, inner)| inner);
            let inner = inner.strip_suffix("/mod").unwrap_or(inner);
            match inner {
                "lib" | "main" => "crate".to_owned(),
                inner => format!("crate::{}", inner.replace('/', "::")),
            }
        }
        Language::TypeScript | Language::Tsx | Language::JavaScript => stem.to_owned(),
        _ => path.to_owned(),
    }
}

/// Lists what a file or the files below a directory declare.
pub async fn list_declarations(context: &Context, args: ListArgs) -> Result<DeclarationsJson, ToolError> {
    let view = View::of(context, args.project_root.as_deref(), &args.path).await?;
    let below = view.path(&args.path)?;
    let wanted = Wanted::of(args.kind.as_deref())?;
    let modules: Vec<&Arc<Module>> = view.index.modules(&below).collect();
    if modules.is_empty() {
        return Err(ToolError::invalid(format!("`{below}` holds no file whose declarations are known"))
            .hint("list_modules lists the files that are read"));
    }
    let is_one = modules.len() == 1 && modules[0].path == below;
    let is_seen = |is_public: bool| match args.visibility {
        Visibility::All => true,
        Visibility::Public => is_public,
        Visibility::Private => !is_public,
    };
    let mut listed = Vec::new();
    for module in modules {
        let rows: Vec<usize> = (0..module.rows.len())
            .filter(|number| wanted.takes(&module.rows[*number]) && is_seen(module.rows[*number].is_public))
            .collect();
        if rows.is_empty() {
            continue;
        }
        let heads = if is_one { heads(&view, module)? } else { BTreeMap::new() };
        listed.extend(rows.into_iter().map(|number| {
            let row = &module.rows[number];
            DeclarationJson {
                id: row.id.to_string(),
                name: row.name().to_owned(),
                kind: row.kind.as_str().to_owned(),
                is_pub: row.is_public,
                parent: row.parent.map(|parent| module.rows[parent].id.to_string()),
                signature: heads.get(&row.name_span.start).cloned().unwrap_or_default(),
                line: row.lines.0,
                path: (!is_one).then(|| module.path.clone()),
            }
        }));
    }
    Ok(DeclarationsJson { declarations: listed })
}

/// Returns the heads of a module's declarations by where their names begin.
fn heads(view: &View, module: &Module) -> Result<BTreeMap<usize, String>, ToolError> {
    let path = view.project.root().join(&module.path)?;
    let Some(parsed) = view.project.session().parsed(&path)? else { return Ok(BTreeMap::new()) };
    let Parsed { tree, text, .. } = &*parsed;
    let all = entries(tree, text.as_str()).into_iter().map(|entry| entry.declaration);
    let of = |it: &Declaration| head(tree, text.as_str(), it, LONGEST_HEAD);
    Ok(all.map(|it| (it.name_span.start, of(&it))).collect())
}
