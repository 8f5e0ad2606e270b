//! Names of a script that no other file can ask for: what functions bind, and what a module keeps for itself.

use super::declaration_files::is_declaration_file;
use super::visibility::is_property;
use crate::lsp::Place;
use crate::refactor::Refusal;
use crate::refactor::commonjs::{exported_as, exported_assignment, given_names, required_source, says_commonjs, taken};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::scopes::Name;
use crate::syntax::{DeclarationKind, Family, Node, Site, site};
use crate::text::AbsPath;

/// Returns the files to look into for what the name at a place means: its own first, and where others can mean it, all that
/// mention it.
///
/// # Errors
/// Those of reading.
pub(crate) fn files_that_may_mean(session: &Session, place: &Place, name: &str) -> Result<Vec<AbsPath>, Refusal> {
    let others = if is_kept(session, place)? { Vec::new() } else { session.disk().files_mentioning(name) };
    Ok(std::iter::once(place.path.clone()).chain(others).collect())
}

/// Tells whether what the name at a place means is bound in its script and can be named in no other one. Where that is not sure,
/// it is none of those.
///
/// # Errors
/// Those of reading.
pub(super) fn is_kept(session: &Session, place: &Place) -> Result<bool, Refusal> {
    let code = Code::known(session, &place.path)?;
    let is_told = code.family() == Family::Script && !is_declaration_file(&place.path);
    Ok(is_told && keeps(&code, place.offset))
}

/// Tells it of the name at an offset of a script (in bytes).
fn keeps(code: &Code, offset: usize) -> bool {
    let tree = &code.parsed().tree;
    let names = ScopedNames::of(code);
    let node = tree.identifier_at(code.text(), offset).map(|span| code.covering(span));
    let name = node.and_then(|node| names.at(node)).filter(|it| !it.is_free && tree.error_count() == 0);
    let Some(name) = name else { return false };
    let bindings: Vec<Name> = names.of_meaning(name.meaning).filter(|it| it.is_binding).collect();
    let is_bound = !bindings.is_empty() && bindings.iter().all(|it| declares(code, *it));
    // A function's type has no body, and is none of the functions.
    let is_parameter = |it: &Name| {
        let site = site(tree, code.text(), it.span);
        matches!(site, Site::Declaration(DeclarationKind::Parameter | DeclarationKind::TypeParameter))
    };
    let is_local = || names.function_of_meaning(name.meaning).is_some() || bindings.iter().all(is_parameter);
    let is_open = names.of_meaning(name.meaning).any(|it| is_passed_on(code, it));
    is_bound && !is_open && (is_local() || is_of_module(code, &bindings))
}

/// Tells whether a name stands where something comes into being that is no member of anything, nor imported.
fn declares(code: &Code, name: Name) -> bool {
    use DeclarationKind as Kind;
    let tree = &code.parsed().tree;
    match site(tree, code.text(), name.span) {
        Site::Declaration(Kind::Parameter) => !is_property(tree, name.span),
        Site::Declaration(Kind::Class | Kind::Function | Kind::Variable | Kind::Constant) => true,
        Site::Declaration(Kind::Interface | Kind::TypeAlias | Kind::Enum | Kind::TypeParameter) => true,
        _ => false,
    }
}

/// Tells whether a name stands where its module hands it out, or takes it from another one, or where one value gets several.
fn is_passed_on(code: &Code, name: Name) -> bool {
    let node = code.covering(name.span);
    let is_listed = node.parent().is_some_and(|outer| outer.is_any(&["export_specifier", "export_statement"]));
    is_listed || exported_as(code, node).is_some() || taken(code, node).is_some() || given_names(code, node).len() > 1
}

/// Tells whether a module has some bindings at its top that it does not export, and no namespace.
fn is_of_module(code: &Code, bindings: &[Name]) -> bool {
    const OPEN: &[&str] = &["export_statement", "ambient_declaration", "internal_module", "module"];
    let is_open = |it: &Name| code.covering(it.span).ancestors().any(|outer| outer.is_any(OPEN));
    is_module(code) && !bindings.iter().any(is_open)
}

/// Tells whether nothing else sees what the script declares at its top: a page could load a script of CommonJS that only asks
/// whether there are modules.
fn is_module(code: &Code) -> bool {
    let passes = |it: Node<'_>| exported_assignment(code, it).is_some() || required_source(code, it).is_some();
    code.path.extension() == "cjs" || says_commonjs(code) == Some(false) || code.root().named_children().any(passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Language;

    /// Tells it of the first `total` of a script.
    fn keeps_total(language: Language, text: &str) -> bool {
        keeps(&Code::of_text(language, text), text.find("total").unwrap())
    }

    #[test]
    fn what_a_script_keeps_for_itself_is_nobody_elses() {
        let kept = [
            "export function sum(total) { return total; }\n",
            "export function sum() { const total = 1; return { total }; }\n",
            "import { a } from './a';\nfunction total() { return a; }\nexport const sum = total();\n",
            "const a = require('./a');\nfunction total() { return a; }\nmodule.exports = { sum: total() };\n",
            "(function () { function total() {} total(); })();\n",
        ];
        for text in kept {
            assert!(keeps_total(Language::JavaScript, text), "{text}");
        }
        let in_type = "export interface Order { rate: (total: number) => void; }\n";
        assert!(keeps_total(Language::TypeScript, in_type));
        let aliased = "type total = number;\nexport const sum: total = 1;\n";
        assert!(keeps_total(Language::TypeScript, aliased));
    }

    #[test]
    fn what_others_can_ask_for_is_not_kept() {
        let open = [
            "function total() {}\n",
            "export function total() {}\n",
            "function total() {}\nexport { total };\n",
            "function total() {}\nexport { total as sum };\n",
            "function total() {}\nexport default total;\n",
            "import { total } from './a';\ntotal();\n",
            "const { total } = require('./a');\ntotal();\n",
            "const total = require('./a').total;\ntotal();\n",
            "const a = require('./a');\nfunction total() { return a; }\nmodule.exports = { total };\n",
            "const a = require('./a');\nfunction total() { return a; }\nexports.sum = total;\n",
            "function total() {}\nif (typeof module !== 'undefined') { module.exports = { sum: 1 }; }\n",
            "export class Order { total() {} }\n",
            "export const order = { total: 1 };\n",
            "function total( { return 1; }\nexport {};\n",
        ];
        for text in open {
            assert!(!keeps_total(Language::JavaScript, text), "{text}");
        }
        let typed = [
            "export class Order { constructor(private total: number) {} }\n",
            "export {};\ndeclare global { var total: number; }\n",
            "export namespace Shop { const total = 1; }\n",
            "enum Kind { total }\nexport const kind = Kind.total;\n",
        ];
        for text in typed {
            assert!(!keeps_total(Language::TypeScript, text), "{text}");
        }
    }
}
