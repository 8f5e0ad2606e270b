//! The types of a new function of Python, where the one that it comes from has any.

use super::data_flow::{Exit, Flow};
use crate::refactor::analysis::classes::ClassHierarchy;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::forward_references::known_at;
use crate::refactor::analysis::imports::types::see;
use crate::refactor::analysis::inferred_types::{is_typed, known, split_outside};
use crate::refactor::analysis::members::check_outermost;
use crate::refactor::analysis::probed_types::{ProbeSide, Question, or_none, probed, united_with};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::Span;

/// What stands behind the names of the parameters, and behind their list; nothing where nobody knows it.
pub(super) struct Types {
    pub inputs: Vec<String>,
    pub answer: String,
    /// Imports of what they name.
    pub imports: Edits,
}

impl Types {
    pub(super) async fn of(
        session: &Session,
        (code, names): (&Code, &ScopedNames<'_>),
        function: Node<'_>,
        (flow, statements): (&Flow<'_>, &[Node<'_>]),
    ) -> Self {
        let lines = Lines { session, code, names, function, flow, statements };
        if !is_typed(function) {
            let inputs = flow.inputs.iter().map(|input| lines.declared(input));
            let inputs = inputs.map(|of| marked(": ", of)).collect();
            return Self { inputs, answer: String::new(), imports: Edits::default() };
        }
        let (probed, mut imports) = (lines.probed().await, Edits::default());
        let mut inputs = Vec::new();
        for input in &flow.inputs {
            inputs.push(lines.input(input, &probed, &mut imports).await);
        }
        let answer = lines.answer(&probed, &mut imports).await;
        let there = |of: String| known_at(code, names, function.start(), of);
        let inputs = inputs.into_iter().map(|of| marked(": ", of.map(there))).collect();
        Self { inputs, answer: marked(" -> ", answer.map(there)), imports }
    }
}

fn marked(mark: &str, of: Option<String>) -> String {
    of.map_or_else(String::new, |of| format!("{mark}{of}"))
}

/// The lines that become a function.
struct Lines<'c, 'n> {
    session: &'n Session,
    code: &'c Code,
    names: &'n ScopedNames<'c>,
    function: Node<'c>,
    flow: &'n Flow<'c>,
    statements: &'n [Node<'c>],
}

/// What the server knows of variables before the lines, and behind them.
struct Probed<'c> {
    before: Vec<(&'c str, Option<String>)>,
    behind: Vec<(&'c str, Option<String>)>,
}

impl Probed<'_> {
    fn of(list: &[(&str, Option<String>)], name: &str) -> Option<String> {
        list.iter().find(|(known, _)| *known == name).and_then(|(_, of)| of.clone())
    }
}

impl<'c> Lines<'c, '_> {
    fn span(&self) -> Span {
        Span::new(self.statements[0].start(), self.statements[self.statements.len() - 1].end())
    }

    /// Returns the first place in the lines of a name that comes from elsewhere, or goes there: a function in the lines may
    /// have another one of its own.
    fn first(&self, name: &str) -> Option<Name> {
        let lines = self.span();
        let text = |one: &Name| one.span.of(self.code.text()).unwrap_or_default();
        let is_outer = |one: &Name| self.names.of_meaning(one.meaning).any(|it| !lines.contains(it.span));
        self.names.within(lines).find(|one| text(one) == name && is_outer(one))
    }

    fn declared(&self, name: &str) -> Option<String> {
        self.first(name).and_then(|name| declared(self.code, self.names, name))
    }

    /// Returns the places in the lines that give a name a value.
    fn writes(&self, name: &str) -> Vec<Name> {
        let all = self.first(name).into_iter().flat_map(|first| self.names.writes(first.meaning));
        all.filter(|one| self.span().contains(one.span)).collect()
    }

    async fn probed(&self) -> Probed<'c> {
        let statements = || self.statements.iter().filter(|one| !one.is("comment"));
        let (Some(first), Some(last)) = (statements().next(), statements().next_back()) else {
            return Probed { before: Vec::new(), behind: Vec::new() };
        };
        let may_be_less = |name: &&&str| self.declared(name).is_none_or(|of| members(&of).len() > 1);
        let before: Vec<&'c str> = self.flow.inputs.iter().filter(may_be_less).copied().collect();
        let behind: Vec<&'c str> = self.flow.outputs.iter().filter(may_be_less).copied().collect();
        let question = |side, statement, expression| Question { statement, side, expression };
        let questions: Vec<Question<'_>> = (before.iter().map(|it| question(ProbeSide::Before, *first, *it)))
            .chain(behind.iter().map(|it| question(ProbeSide::Behind, *last, *it)))
            .collect();
        let mut found = probed(self.session, self.code, &questions).await.into_iter();
        let before = before.into_iter().zip(found.by_ref()).collect();
        Probed { before, behind: behind.into_iter().zip(found).collect() }
    }

    /// Returns the type of what is passed: with all that the lines put in its place, where they do.
    async fn input(&self, name: &str, probed: &Probed<'_>, imports: &mut Edits) -> Option<String> {
        if let Some(declared) = self.declared(name) {
            let known = Probed::of(&probed.before, name).filter(|_| self.writes(name).is_empty());
            return known.and_then(|known| narrowed(&declared, &known)).or(Some(declared));
        }
        let coming = Probed::of(&probed.before, name)?;
        // What is anything comes as that, whatever the lines put in its place.
        if coming == "Any" {
            let is_any = |one: Name| one.is_binding && one.scope == 0 && one.span.of(self.code.text()) == Some("Any");
            return self.names.within(self.code.root().span()).any(is_any).then_some(coming);
        }
        let mut types = vec![Some(coming)];
        for write in self.writes(name) {
            types.push(known(self.session, self.code, self.code.covering(write.span)).await.ok());
        }
        self.written(&types, &[name], imports).await
    }

    /// Writes types as one, with the imports of the project's classes that it names: those of the variables.
    async fn written(&self, types: &[Option<String>], of: &[&str], imports: &mut Edits) -> Option<String> {
        let (said, unseen) = united_with(self.code, self.names, types)?;
        if unseen.is_empty() {
            return Some(said);
        }
        let kin = ClassHierarchy::new(self.session, self.code.parsed().tree.language()).await.ok()?;
        let mut classes = Vec::new();
        for name in of.iter().filter_map(|name| self.first(name)) {
            classes.extend(kin.classes_of(self.code, self.code.covering(name.span)).await.ok()?);
        }
        for word in unseen {
            let mut named = classes.iter().filter(|it| it.class().name() == word && it.is_of(self.session));
            let class = named.next().filter(|first| named.all(|it| it.place() == first.place()))?;
            check_outermost(&class.class()).ok()?;
            see(self.session, self.code, (&class.code, &word), imports).ok()?;
        }
        Some(said)
    }

    async fn answer(&self, probed: &Probed<'_>, imports: &mut Edits) -> Option<String> {
        let behind = |name: &str| Probed::of(&probed.behind, name);
        let declared = |name: &str| {
            let declared = self.declared(name)?;
            behind(name).and_then(|known| narrowed(&declared, &known)).or(Some(declared))
        };
        let known = |name: &&str| declared(name).or_else(|| behind(name));
        let returned = || self.function.child("return_type").map(|of| of.text(self.code.text()).to_owned());
        match (self.flow.exit, self.flow.outputs.as_slice()) {
            (Exit::Returns | Exit::Ends, _) => returned(),
            (Exit::Answers, _) => {
                let (said, import) = or_none(self.code, self.names, returned());
                imports.import(self.code, import);
                said
            }
            (Exit::Falls, []) => Some("None".to_owned()),
            (Exit::Leaves, _) => Some("bool".to_owned()),
            (Exit::Falls, [only]) => match declared(only) {
                Some(declared) => Some(declared),
                None => self.written(&[behind(only)], &[*only], imports).await,
            },
            (Exit::Falls, outputs) => {
                let all: Option<Vec<String>> = outputs.iter().map(known).collect();
                self.written(&[Some(format!("tuple[{}]", all?.join(", ")))], outputs, imports).await
            }
        }
    }
}

/// Returns the members of a type that says several: `int | None`, `Optional[int]`, `Union[int, str]`.
fn members(of: &str) -> Vec<&str> {
    let of = of.trim();
    let inside = |head: &str| {
        let (before, rest) = of.split_once('[')?;
        let is_it = before.rsplit('.').next() == Some(head) && !before.contains('|');
        rest.strip_suffix(']').filter(|_| is_it)
    };
    match (inside("Optional"), inside("Union")) {
        (Some(inner), _) => members(inner).into_iter().chain(["None"]).collect(),
        (_, Some(inner)) => split_outside(inner, ',').into_iter().flat_map(members).collect(),
        _ => split_outside(of, '|'),
    }
}

/// Writes a declared type as far as it can still be where less is known to come there: without `None`, or one of several.
fn narrowed(declared: &str, known: &str) -> Option<String> {
    let (all, known) = (members(declared), split_outside(known, '|'));
    let bare = |it: &str| it.trim_matches(['"', '\'']).to_owned();
    let left: Vec<&str> = all.iter().copied().filter(|it| known.contains(&bare(it).as_str())).collect();
    if left.len() != known.len() || left.len() == all.len() {
        return None;
    }
    let is_but_none = left.len() + 1 == all.len() && !left.contains(&"None");
    match left.as_slice() {
        [only] => Some((*only).to_owned()),
        _ if is_but_none && declared.contains('|') => Some(left.join(" | ")),
        _ if is_but_none && declared.contains("Optional[") => {
            declared.split_once('[')?.1.strip_suffix(']').filter(|it| members(it).len() > 1).map(str::to_owned)
        }
        _ => None,
    }
}

/// Returns the type that a variable is declared with.
fn declared(code: &Code, names: &ScopedNames<'_>, name: Name) -> Option<String> {
    names.writes(name.meaning).find_map(|write| {
        let node = code.covering(write.span);
        let holder = node.parent().filter(|it| !it.is_any(&["list_splat_pattern", "dictionary_splat_pattern"]))?;
        let is_it = holder.is_any(&["typed_parameter", "typed_default_parameter", "assignment"]);
        let of = holder.child("type").filter(|_| is_it)?;
        let own = holder.child("name").or_else(|| holder.child("left")).or_else(|| holder.named_children().next());
        (own == Some(node)).then(|| of.text(code.text()).to_owned())
    })
}
