//! Solidity: what is called on an address that a cast takes for a contract may be another contract's.
//!
//! ```solidity
//! Token(address(odd)).balanceOf(who)
//! ```
//! A contract that declares the same signature and inherits nothing of what is renamed keeps its name, and the call would no
//! longer find it.

use std::collections::BTreeSet;

use super::server_edits::Gathered;
use super::subject::Subject;
use crate::lsp::embedded::load_project;
use crate::plan::{Warning, WarningKind};
use crate::session::Session;
use crate::solidity::{Definition, DefinitionId, DefinitionKind, Model, Reference, SourceId, Visibility, related};
use crate::syntax::Family;
use crate::text::AbsPath;

/// Tells of the contracts that may be meant by a call on a cast.
pub(super) async fn tell(session: &Session, subject: &Subject, gathered: &mut Gathered) {
    if subject.language.family() != Family::Solidity || !is_behind_parenthesis(session, &subject.name) {
        return;
    }
    let disk = session.disk().clone();
    let Ok(model) = tokio::task::spawn_blocking(move || load_project(&disk).model()).await else { return };
    let file = SourceId::new(subject.place.path.as_str());
    let group = related(&model, model.meant_at(&file, subject.span.start));
    let Some(call) = group.iter().flat_map(|id| model.references_to(*id)).find(|one| is_on_cast(&model, one)) else {
        return;
    };
    let place = model.place(&call.file, call.span.start);
    let place = place.strip_prefix(&format!("{}/", session.root())).unwrap_or(&place);
    for other in namesakes(&model, &group) {
        let Ok(path) = AbsPath::new(other.file.as_str()) else { continue };
        let owner = other.container.map_or("", |id| model.definition(id).name.as_str());
        let message = format!(
            "`{owner}` declares the same `{}` without inheriting it: a call on a cast may mean this one ({place})",
            subject.name
        );
        let text = session.disk().read(&path).ok();
        let range = text.and_then(|text| text.range(other.name_span));
        gathered.warnings.push(Warning::at(WarningKind::PossibleUse, message, path, range));
    }
}

/// Tells whether the name stands behind a parenthesis and a dot anywhere: most names do not.
fn is_behind_parenthesis(session: &Session, name: &str) -> bool {
    let (disk, end) = (session.disk(), format!(".{name}"));
    disk.files_mentioning(name).iter().filter_map(|path| disk.read(path).ok()).any(|text| {
        let text = text.as_str();
        text.match_indices(&end).any(|(at, _)| text[..at].trim_end().ends_with(')'))
    })
}

/// Tells whether a member is asked for of `Contract(…)`.
fn is_on_cast(model: &Model, one: &Reference) -> bool {
    let text = model.text(&one.file).unwrap_or_default();
    let before = text[..one.span.start].trim_end().strip_suffix('.').map(str::trim_end);
    let Some(list) = before.and_then(|before| before.strip_suffix(')')) else { return false };
    let mut depth = 1_usize;
    let open = list.char_indices().rev().find(|(_, sign)| {
        match sign {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let Some((open, _)) = open else { return false };
    let end = text[..open].trim_end().len();
    let named = model.reference_at(&one.file, end).filter(|named| named.span.end == end);
    let meant = named.into_iter().flat_map(|named| named.target.definitions());
    meant.flat_map(|id| model.behind_imports(*id)).any(|id| is_contract(model.definition(id).kind))
}

/// Returns what has a signature of the group without belonging to it, and can be called from outside.
fn namesakes<'m>(model: &'m Model, group: &[DefinitionId]) -> Vec<&'m Definition> {
    let signatures: BTreeSet<&str> = group.iter().filter_map(|id| model.definition(*id).signature.as_deref()).collect();
    let is_called = |one: &Definition| {
        matches!(one.visibility, Some(Visibility::Public | Visibility::External))
            && matches!(one.kind, DefinitionKind::Function | DefinitionKind::StateVariable)
            && one.container.is_some_and(|id| is_contract(model.definition(id).kind))
    };
    let all = model.definitions().filter(|(id, one)| is_called(one) && !group.contains(id));
    all.map(|(_, one)| one).filter(|one| one.signature.as_deref().is_some_and(|it| signatures.contains(it))).collect()
}

fn is_contract(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Contract | DefinitionKind::Interface)
}
