//! Members that may override what a library declares of which no server knows a type: `util.inherits(Feed, EventEmitter)` and
//! `class Feed extends EventEmitter`, without the library's types.

use std::collections::BTreeMap;

use super::commonjs_exports::is_script;
use super::doubts::{base, is_class};
use super::instance_members::class_of;
use super::prototype_chains::links;
use super::server_edits::Gathered;
use crate::lsp::{Place, Server};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::commonjs::taken;
use crate::refactor::source_file::Code;
use crate::refactor::tsserver::is_outside;
use crate::session::{Session, SessionError};
use crate::syntax::{Node, Site, site};
use crate::text::{AbsPath, Span};

/// So many steps are gone up from one class to another.
const HIGHEST: usize = 8;

/// Tells of the bases of renamed members that lead out of the project to nothing that is known.
pub(super) async fn told(
    session: &Session,
    server: &Server,
    name: &str,
    gathered: &Gathered,
) -> Result<Vec<Warning>, Refusal> {
    let mut unknown: BTreeMap<(AbsPath, Span), String> = BTreeMap::new();
    for path in gathered.paths().filter(|path| is_script(path)) {
        let code = Code::known(session, path)?;
        for edit in gathered.edits_of(path).into_iter().filter(|edit| edit.span.of(code.text()) == Some(name)) {
            for base in bases(&code, code.covering(edit.span)) {
                unknown.extend(unknown_above((session, server), &code, base).await?);
            }
        }
    }
    let warning = |((path, span), base): ((AbsPath, Span), String)| {
        let message =
            format!("`{name}` may override a member of `{base}`, of which no type is known, or be asked for by it");
        let range = session.disk().read(&path)?.range(span);
        Ok(Warning::at(WarningKind::PossibleUse, message, path, range))
    };
    unknown.into_iter().map(warning).collect()
}

/// Returns what the class extends of whose objects a member is declared by what stands at its name.
fn bases<'c>(code: &'c Code, member: Node<'c>) -> Vec<Node<'c>> {
    let declaration = member.parent().filter(|outer| outer.child("object").is_none());
    let body = declaration.and_then(Node::parent).filter(|body| body.is("class_body"));
    match body.and_then(Node::parent) {
        Some(class) => base(class).into_iter().collect(),
        None => class_of(member, code.text()).map_or_else(Vec::new, |class| bases_of_named(code, &class)),
    }
}

fn bases_of_named<'c>(code: &'c Code, class: &str) -> Vec<Node<'c>> {
    let linked = links(code).into_iter().filter(|link| link.child == class).map(|link| link.base);
    let is_it =
        |node: &Node<'_>| is_class(node) && node.child("name").is_some_and(|own| own.text(code.text()) == class);
    linked.chain(code.root().descendants().filter(is_it).filter_map(base)).collect()
}

/// Returns the first class above of which the server knows nothing, by the place that names it.
async fn unknown_above(
    (session, server): (&Session, &Server),
    code: &Code,
    base: Node<'_>,
) -> Result<Option<((AbsPath, Span), String)>, Refusal> {
    let mut open = vec![(code.path.clone(), base.span())];
    let mut steps = 0;
    while let Some((path, span)) = open.pop().filter(|_| steps < HIGHEST) {
        steps += 1;
        let code = Code::known(session, &path)?;
        let named = code.covering(span);
        // What a call makes has the type that it has.
        if !named.is_any(&["identifier", "member_expression", "property_identifier"]) {
            continue;
        }
        let own = named.child("property").unwrap_or(named);
        let place = Place { path: path.clone(), offset: own.start() };
        let leads = server.definition(&place).await.map_err(SessionError::from)?;
        if leads.iter().any(|lead| is_outside(session.root(), &lead.path)) {
            continue;
        }
        let mut is_known = false;
        for lead in leads.into_iter().filter(|lead| is_script(&lead.path)) {
            let other = Code::known(session, &lead.path)?;
            let declared = other.covering(lead.span);
            if !is_taken(&other, declared) {
                is_known = true;
                let class = declared.text(other.text());
                open.extend(bases_of_named(&other, class).into_iter().map(|base| (lead.path.clone(), base.span())));
            }
        }
        if !is_known {
            return Ok(Some(((path, span), named.text(code.text()).to_owned())));
        }
    }
    Ok(None)
}

/// Tells whether a name is what a file takes from another one.
fn is_taken(code: &Code, name: Node<'_>) -> bool {
    let imports = matches!(
        site(&code.parsed().tree, code.text(), name.span()),
        Site::ImportSpecifier { .. }
            | Site::ImportedName { .. }
            | Site::ImportAlias { .. }
            | Site::DefaultImport { .. }
            | Site::NamespaceImport { .. }
    );
    imports || taken(code, name).is_some()
}
