//! Uses that mean a member of another class as well: `shape.area()`, where `shape` is a `Circle | Square`.

use std::collections::BTreeMap;

use super::kinds::kind;
use super::{Use, UseKind, Uses};
use crate::lsp::{Location, Place};
use crate::plan::Warning;
use crate::refactor::doubts::doubt;
use crate::refactor::refusal::{both, each};
use crate::refactor::source_file::{Code, is_class};
use crate::refactor::{Refusal, rename};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Node};
use crate::text::Span;

/// So many uses are asked about; what follows from others a check has to tell.
const MOST: usize = 200;
/// So many other members are asked about.
const MOST_OTHERS: usize = 30;
/// What is of one class, whatever it is.
const OWN: &[&str] = &["cls", "self", "super", "super()", "this"];

impl Uses {
    /// As [`Self::certain`], where every use changes: one that means a member of another class, too, is doubted.
    pub(crate) async fn its_own(&self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        let (mut warnings, apart) = both(self.certain(session).await, self.apart(session).await)?;
        warnings.extend(apart);
        Ok(warnings)
    }

    /// Doubts uses that mean a member of another class, too, which stays as it is.
    pub(crate) async fn apart(&self, session: &Session) -> Result<Vec<Warning>, Refusal> {
        let is_asked = |(code, one): &(&Code, &Use)| {
            let object = one.member(code).and_then(|it| it.child("object"));
            object.is_some_and(|it| !OWN.contains(&it.text(code.text())))
        };
        let asked: Vec<(&Code, &Use)> = self.iter().filter(is_asked).take(MOST).collect();
        let others = if asked.is_empty() { Vec::new() } else { self.elsewhere(session)? };
        if others.is_empty() {
            return Ok(Vec::new());
        }
        let turn = session.shared().await;
        let mut shared = match asked[0].0.family() {
            Family::Python => self.leading_apart(session, &asked).await?,
            _ => self.found_from(&others, &asked).await?,
        };
        drop(turn);
        shared.sort();
        shared.dedup_by_key(|(at, _)| *at);
        let reason = |class: &str| format!("this is the `{}` of `{class}` as well, which stays", self.name);
        each(shared.iter().map(|(at, class)| doubt(asked[*at].0, asked[*at].1.span, reason(class))))
    }

    /// Returns the members of other classes of the project that have the name, with the class.
    fn elsewhere(&self, session: &Session) -> Result<Vec<(Place, String)>, Refusal> {
        let mut found = BTreeMap::new();
        for path in self.mentioning(session) {
            let code = Code::known(session, &path)?;
            let declared = code.parsed().declarations().iter().filter(|one| one.name == self.name);
            let spans = code.parsed().tree.identifiers_named(code.text(), &self.name).into_iter();
            let set = spans.filter(|span| sets_own(&code, *span));
            for span in declared.map(|one| one.name_span).chain(set) {
                let lead = Location { path: path.clone(), span };
                let class = if self.has(&lead) { None } else { self.other_class(&code, &lead) };
                if let Some(class) = class {
                    found.entry((path.clone(), class)).or_insert(span.start);
                }
            }
        }
        Ok(found.into_iter().map(|((path, class), offset)| (Place { path, offset }, class)).collect())
    }

    /// Finds the uses that lead to a member of another class, too: basedpyright 1.40 tells all.
    async fn leading_apart(&self, session: &Session, asked: &[(&Code, &Use)]) -> Result<Vec<(usize, String)>, Refusal> {
        let place = |(code, one): &(&Code, &Use)| Place { path: code.path.clone(), offset: one.span.start };
        let meanings = rename::meanings(&self.server, &self.name, asked.iter().map(place).collect()).await?;
        let mut found = Vec::new();
        for (at, leads) in meanings.iter().enumerate().filter(|(_, leads)| leads.iter().any(|it| self.has(it))) {
            for lead in leads.iter().filter(|it| !self.has(it)) {
                let class = self.other_class(&Code::known(session, &lead.path)?, lead);
                found.extend(class.map(|class| (at, class)));
            }
        }
        Ok(found)
    }

    /// Finds the uses that are uses of other members, too. From a call, tsserver 6.0 leads to the first of several members only.
    async fn found_from(
        &self,
        others: &[(Place, String)],
        asked: &[(&Code, &Use)],
    ) -> Result<Vec<(usize, String)>, Refusal> {
        let mut found = Vec::new();
        for (place, class) in others.iter().take(MOST_OTHERS) {
            let uses = self.server.references(place).await.map_err(SessionError::from)?;
            let is_one =
                |(code, one): &(&Code, &Use)| uses.iter().any(|it| it.path == code.path && it.span == one.span);
            let shared = asked.iter().enumerate().filter(|(_, it)| is_one(it));
            found.extend(shared.map(|(at, _)| (at, class.clone())));
        }
        Ok(found)
    }

    /// Returns the class in which a place declares a member, where that is none of those that have this one.
    fn other_class(&self, code: &Code, lead: &Location) -> Option<String> {
        const INTERFACE: &str = "interface_declaration";
        let class = code.covering(lead.span).ancestors().find(|it| is_class(*it) || it.is(INTERFACE))?;
        let is_own = |span: &Span| self.has(&Location { path: lead.path.clone(), span: *span });
        let mut own = code.parsed().tree.identifiers_named(code.text(), &self.name).into_iter().filter(is_own);
        let is_known = own.any(|span| class.span().contains(span));
        class.child("name").filter(|_| !is_known).map(|it| it.text(code.text()).to_owned())
    }
}

/// Tells whether a class gives its own object a member where a name stands: `this.size = 2`.
fn sets_own(code: &Code, name: Span) -> bool {
    let member = code.covering(name).parent().filter(|it| it.child("object").is_some());
    let is_own = |it: Node<'_>| it.child("object").is_some_and(|object| OWN.contains(&object.text(code.text())));
    member.is_some_and(|it| is_own(it) && kind(code, name) == UseKind::Write)
}
