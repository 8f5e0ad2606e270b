//! Calls on objects of unknown type, taken for calls of the function where the caller asked for it.

use std::collections::BTreeMap;

use super::{UseKind, Uses, kinds};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::rename::Declarers;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::text::{AbsPath, Span};

impl Uses {
    /// Returns the names of calls on objects, not found to mean this function, for which something holds.
    pub(crate) fn other_calls(
        &self,
        session: &Session,
        holds: impl Fn(&Code, Node<'_>) -> bool,
    ) -> Result<Vec<(AbsPath, Span)>, Refusal> {
        let mut found = Vec::new();
        for path in self.mentioning(session) {
            let code = Code::known(session, &path)?;
            let called = |span: &Span| {
                let member =
                    code.covering(*span).parent().filter(|it| it.is_any(&["attribute", "member_expression"]))?;
                member.parent().filter(|call| call.child("function") == Some(member))
            };
            let others = self.others(&code).into_iter();
            let others = others.filter(|span| called(span).is_some_and(|call| holds(&code, call)));
            found.extend(others.map(|span| (path.clone(), span)));
        }
        Ok(found)
    }

    /// Leaves places out, whatever they mean.
    pub(crate) fn leave_out(&mut self, places: Vec<(AbsPath, Span)>) {
        self.others.extend(places);
    }

    /// Takes the calls along that no server tells the meaning of, those on an object apart that is called like another class
    /// which has such a member; and tells of them.
    pub(crate) async fn take_untyped(&mut self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        let Some(family) = self.iter().next().map(|(code, _)| code.family()) else { return Ok(Vec::new()) };
        let is_own = |path: &AbsPath, span: Span| {
            let file = self.files.get(path);
            file.is_some_and(|it| it.uses.iter().any(|one| one.span == span && one.kind == UseKind::Definition))
        };
        let declarers = Declarers::of(session, (&self.name, family), is_own);
        let (mut taken, mut warnings) = (BTreeMap::<AbsPath, (Code, Vec<Span>)>::new(), Vec::new());
        for (path, span) in self.possible(session).await? {
            let code = Code::known(session, &path)?;
            if kinds::kind(&code, span) != UseKind::Call {
                continue;
            }
            if !declarers.is_of_rival(code.parsed(), span) {
                taken.entry(path).or_insert((code, Vec::new())).1.push(span);
                continue;
            }
            let message = format!("`{}` stays here: its object is called like another class that has one", self.name);
            let range = code.parsed().text.range(span);
            warnings.push(Warning::at(WarningKind::PossibleUse, message, path.clone(), range));
            self.others.insert((path, span));
        }
        if !taken.is_empty() {
            let message = format!("another `{}` is declared here: what has no type may be this one", self.name);
            warnings.extend(declarers.told(&message));
        }
        for (path, (code, spans)) in taken {
            let message = format!("`{}` is taken for the one that changes: no type is known there", self.name);
            let told = (&*code.parsed().text, spans.as_slice());
            warnings.push(Warning::at_lines(WarningKind::Unconfirmed, message, path.clone(), told));
            self.add_calls(session, spans.into_iter().map(|span| (path.clone(), span)).collect())?;
        }
        Ok(warnings)
    }
}
