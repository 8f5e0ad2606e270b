//! Modules of CommonJS that are a value as a whole, and go on as one: `exports.pad = require("./pad")`.
//!
//! tsserver 6.0 finds none of those who take it from there.

use crate::lsp::Location;
use crate::refactor::Refusal;
use crate::refactor::commonjs::{Onward, is_whole_export, onward};
use crate::refactor::moves::Importers;
use crate::refactor::moves::links::Links as _;
use crate::refactor::moves::script::{Modules, Project};
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{AbsPath, Span};

/// What comes of a value that is all of a module.
#[derive(Default)]
pub(super) struct Taken {
    /// The names that it goes on by.
    pub names: Vec<Location>,
    /// The modules that are the same value by that.
    pub modules: Vec<AbsPath>,
    /// Where it is used without a name.
    pub unnamed: Vec<Location>,
}

/// Tells whether what a name stands for is all that its module hands out.
pub(super) fn is_all(code: &Code, name: Node<'_>) -> bool {
    let function = name.parent().filter(|outer| outer.child("name") == Some(name)).unwrap_or(name);
    code.family() == Family::Script && is_whole_export(code, name) || is_whole_export(code, function)
}

/// Finds what those who `require` a module do with it.
pub(super) fn taken(session: &Session, module: &AbsPath) -> Result<Taken, Refusal> {
    let mut found = Taken::default();
    let Some(project) = Project::with(session.sources(), module) else { return Ok(found) };
    let modules = Modules::new(&project);
    for path in Importers::of(session).direct(module) {
        let code = Code::known(session, path)?;
        for source in modules.loads(&code, module) {
            let Some(call) = required(&code, source) else { continue };
            let at = |span: Span| Location { path: path.clone(), span };
            match onward(&code, call) {
                Onward::Nowhere => {}
                Onward::Named(name) => found.names.push(at(name)),
                Onward::Whole(names) => {
                    found.names.extend(names.into_iter().map(at));
                    found.modules.push(path.clone());
                }
                Onward::Unnamed => found.unnamed.push(at(call.span())),
            }
        }
    }
    Ok(found)
}

/// Returns the call of `require` that loads what is named by a string.
fn required<'c>(code: &'c Code, source: Span) -> Option<Node<'c>> {
    let call = code.covering(source).ancestors().find(|outer| outer.is("call_expression"))?;
    call.child("function").filter(|function| function.text(code.text()) == "require").map(|_| call)
}
