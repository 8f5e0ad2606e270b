//! What is all that a script exports, or its default: those who import it call it what they like, so that their files need not
//! mention its name.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::lsp::{Place, Server};
use crate::refactor::Refusal;
use crate::refactor::commonjs::is_whole_export;
use crate::refactor::moves::Importers;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::AbsPath;

/// Loads the files that may have what is declared at a place by another name.
pub(crate) async fn cover_importers(session: &Session, server: &Arc<Server>, place: &Place) -> Result<(), Refusal> {
    let code = Code::known(session, &place.path)?;
    let Some(name) = code.parsed().tree.identifier_at(code.text(), place.offset) else { return Ok(()) };
    if code.family() != Family::Script || !is_default(&code, code.covering(name)) {
        return Ok(());
    }
    let importers = Importers::of(session);
    let (mut open, mut found) = (vec![place.path.clone()], BTreeSet::new());
    while let Some(module) = open.pop() {
        for path in importers.direct(&module) {
            if found.insert(path.clone()) && hands_on(&Code::known(session, path)?) {
                open.push(path.clone());
            }
        }
    }
    let found: Vec<AbsPath> = found.into_iter().collect();
    Ok(session.cover(server, &found).await?)
}

/// Tells whether the declaration of a name is exported without one: `export default class Order {}`, `export default Order;`,
/// `export { Order as default };`, `module.exports = Order`.
fn is_default(code: &Code, name: Node<'_>) -> bool {
    let text = name.text(code.text());
    let declared = name.parent().filter(|it| it.child("name") == Some(name)).unwrap_or(name);
    let names_it = |node: Option<Node<'_>>| node.is_some_and(|it| it.text(code.text()) == text);
    let is_aliased = |it: Node<'_>| {
        let is_default = it.child("alias").is_some_and(|alias| alias.text(code.text()) == "default");
        is_default && names_it(it.child("name"))
    };
    let exports = |statement: Node<'_>| match statement.kind() {
        "export_statement" if statement.children().any(|it| it.kind() == "default") => {
            names_it(statement.child("value")) || statement.holds(name) && declared.parent() == Some(statement)
        }
        "export_statement" => statement.child("source").is_none() && statement.descendants().any(is_aliased),
        "expression_statement" => {
            let mut values = statement.descendants().filter(|it| it.field() == Some("right"));
            values.any(|it| (names_it(Some(it)) || it == declared) && is_whole_export(code, it))
        }
        _ => false,
    };
    code.root().named_children().any(exports)
}

/// Tells whether a script hands on a default that it imports.
fn hands_on(code: &Code) -> bool {
    let text = code.text();
    let statements = || code.root().named_children();
    let imports = statements().filter(|it| it.is("import_statement")).flat_map(Node::descendants);
    let bound = |it: Node<'_>| match it.kind() {
        "import_clause" => it.named_children().find(|it| it.is("identifier")).map(|it| it.text(text)),
        "import_specifier" => it.child("alias").map(|it| it.text(text)),
        _ => None,
    };
    let taken: BTreeSet<&str> = imports.filter_map(bound).collect();
    let hands = |it: Node<'_>| {
        let named = it.child("value").or_else(|| it.child("name"));
        named.is_some_and(|it| taken.contains(it.text(text)))
    };
    let mut exports = statements().filter(|it| it.is("export_statement"));
    exports.any(|it| {
        it.child("source").is_some() || hands(it) || it.descendants().any(|it| it.is("export_specifier") && hands(it))
    })
}
