//! What scripts say of what moved beside import statements: types that comments and code import where they need them, and
//! tests that put a double in the place of a module.

use super::importers::Led;
use super::{Draft, Fate, Leaving, Way};
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::refactor::moves::links::{Link, LinkedName, SpelledName};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, inner};
use crate::syntax::{Node, is_any_function, is_test};
use crate::text::{Span, TextEdit};

impl Way<'_> {
    /// Leads `import("./shop").Order`, and doubles of what goes to a module of its own; tells other doubles of either module.
    pub(super) fn lead_spelled(
        &self,
        code: &Code,
        known: &mut Led,
        (edits, draft): (&mut Vec<TextEdit>, &mut Draft),
    ) -> Result<(), Refusal> {
        let is_there = self.links.spelled(code, &self.to.path).iter().any(|(_, said)| *said == SpelledName::Double);
        for (source, said) in self.links.spelled(code, &self.from.path) {
            match said {
                SpelledName::Member(span) => {
                    let name = span.of(code.text()).unwrap_or_default();
                    if self.leaving.iter().any(|one| one.key == name) {
                        let written = self.links.respelled((code, source), &self.to.path);
                        edits.push(TextEdit::new(source, written.map_err(|reason| code.refuse(source.start, reason))?));
                        known.places.insert((code.path.clone(), Span::new(source.start, span.end)));
                    }
                }
                SpelledName::Double if self.is_doubled_alone(code, source) => {
                    let written = self.links.respelled((code, source), &self.to.path);
                    edits.push(TextEdit::new(source, written.map_err(|reason| code.refuse(source.start, reason))?));
                }
                SpelledName::Double if self.manner.fate == Fate::Goes && !is_there => {
                    let written = self.links.respelled((code, source), &self.to.path);
                    edits.push(TextEdit::new(source, written.map_err(|reason| code.refuse(source.start, reason))?));
                    draft.warnings.push(self.doubled_whole(code, source));
                }
                SpelledName::Double => draft.warnings.push(self.doubled(code, source)),
                SpelledName::Passed => draft.warnings.push(self.passed(code, source)),
            }
        }
        for source in self.links.loads(code, &self.from.path) {
            if self.is_augmented(code, source)? {
                let written = self.links.respelled((code, source), &self.to.path);
                edits.push(TextEdit::new(source, written.map_err(|reason| code.refuse(source.start, reason))?));
            }
        }
        draft.warnings.extend(self.asked_as_whole(code));
        draft.warnings.extend(self.asked_by_text(code));
        for (source, said) in self.links.spelled(code, &self.to.path) {
            match said {
                SpelledName::Double => draft.warnings.push(self.doubled(code, source)),
                // Some test may put a double in its place by this; nobody else misses anything there.
                SpelledName::Passed if is_test(&code.shown) => draft.warnings.push(self.passed(code, source)),
                SpelledName::Passed | SpelledName::Member(_) => {}
            }
        }
        Ok(())
    }

    /// Tells whether a file adds to what leaves by `declare module "./shop" { … }`; refuses one that adds to what stays, too.
    fn is_augmented(&self, code: &Code, source: Span) -> Result<bool, Refusal> {
        let module = code.covering(source).ancestors().find(|it| it.is("module"));
        let module = module.filter(|it| it.child("name").is_some_and(|name| name.span().contains(source)));
        let Some(body) = module.and_then(|it| it.child("body")) else { return Ok(false) };
        let names = |it: Node<'_>| inner(it).child("name").map(|name| name.text(code.text()));
        let leaves = |it: &Node<'_>| names(*it).is_some_and(|name| self.leaving.iter().any(|one| one.name == name));
        let all: Vec<Node<'_>> = body.named_children().filter(|it| !it.is("comment")).collect();
        match (all.iter().find(|it| leaves(it)), all.iter().find(|it| !leaves(it))) {
            (Some(_), Some(other)) => {
                Err(code.refuse(other.start(), "this adds to the module what stays there, beside what leaves it"))
            }
            (first, _) => Ok(first.is_some()),
        }
    }

    /// Tells where a file does more with the whole module than to ask it for one name: `Object.keys(shop)`, `shop[name]`.
    fn asked_as_whole(&self, code: &Code) -> Option<Warning> {
        let is_offered = |one: &&Leaving<'_>| self.is_python() || self.is_handed_out(one);
        let name = self.leaving.iter().filter(is_offered).find(|one| !self.still_has(one.name))?.key;
        let names = ScopedNames::of(code);
        let links = self.links.with_required(code).into_iter();
        let whole = links.filter(|it| it.taken == LinkedName::Module && it.module.as_ref() == Some(&self.from.path));
        // `import shop.tax` of Python binds the package around the module.
        let binds_package = |link: &Link| {
            let [source, item] = [link.source, link.item].map(|span| span.of(code.text()).unwrap_or_default());
            self.is_python() && source.contains('.') && item.contains(source) && !item.contains(" as ")
        };
        let mut spans: Vec<Span> = Vec::new();
        for local in whole.filter(|link| !binds_package(link)).filter_map(|link| link.local) {
            let meaning = names.at(code.covering(local)).map(|one| one.meaning);
            let uses = meaning.into_iter().flat_map(|meaning| names.of_meaning(meaning)).filter(|one| !one.is_binding);
            spans.extend(uses.map(|one| one.span).filter(|span| !asks_for_one(code.covering(*span))));
        }
        spans.sort();
        let message = format!("all of the module is asked for its names here, and `{name}` is no longer among them");
        let told =
            || Warning::at_lines(WarningKind::RunTime, message, code.path.clone(), (&code.parsed().text, &spans));
        (!spans.is_empty()).then(told)
    }

    /// Tells where a script asks the module, by a text beside it, for what left: `vi.spyOn(shop, "total")`.
    fn asked_by_text(&self, code: &Code) -> Vec<Warning> {
        if self.is_python() {
            return Vec::new();
        }
        let names = ScopedNames::of(code);
        let links = self.links.with_required(code).into_iter();
        let whole = links.filter(|it| it.taken == LinkedName::Module && it.module.as_ref() == Some(&self.from.path));
        let meanings = whole.filter_map(|link| names.at(code.covering(link.local?)).map(|one| one.meaning));
        let uses = meanings.flat_map(|meaning| names.of_meaning(meaning)).filter(|one| !one.is_binding);
        let asked = uses.filter_map(|one| beside(code.covering(one.span)).or_else(|| key_of(code.covering(one.span))));
        let told = asked.filter_map(|text| {
            let name = text.text(code.text()).trim_matches(['"', '\'', '`']);
            let left = self.leaving.iter().any(|one| one.key == name && !self.still_has(one.name));
            let message = format!("the module is asked for `{name}` by a text here, which is elsewhere now");
            left.then(|| {
                Warning::at(WarningKind::RunTime, message, code.path.clone(), code.parsed().text.range(text.span()))
            })
        });
        told.collect()
    }

    /// Tells whether a double has nothing but what leaves, and nothing else is where that comes to be:
    /// `vi.mock("./shop", () => ({ total: vi.fn() }))`.
    fn is_doubled_alone(&self, code: &Code, source: Span) -> bool {
        let text = code.text();
        let call = code.covering(source).ancestors().find(|it| it.is("call_expression"));
        let Some(factory) = call.and_then(|it| it.child("arguments")?.named_children().nth(1)) else { return false };
        let body = factory.child("body").filter(|_| is_any_function(factory));
        let object = body.filter(|it| it.is("parenthesized_expression")).and_then(|it| it.named_children().next());
        let Some(object) = object.filter(|it| it.is("object")) else { return false };
        let leaves = |it: Node<'_>| {
            let key = it.child("key").or_else(|| it.child("name")).unwrap_or(it).text(text);
            self.leaving.iter().any(|one| one.key == key.trim_matches(['"', '\'']))
        };
        self.to.text().is_empty() && object.named_children().all(leaves)
    }

    fn doubled(&self, code: &Code, source: Span) -> Warning {
        let name = self.leaving.first().map_or("", |one| one.name);
        let module = source.of(code.text()).unwrap_or_default();
        let message =
            format!("a test puts a double in the place of `{module}` here, and `{name}` is taken from elsewhere now");
        Warning::at(WarningKind::RunTime, message, code.path.clone(), code.parsed().text.range(source))
    }

    /// Tells of a double of a module that goes: it comes to stand for all of the other one.
    fn doubled_whole(&self, code: &Code, source: Span) -> Warning {
        let message = format!("a test puts a double here in the place of all of `{}` now", self.to.shown);
        Warning::at(WarningKind::RunTime, message, code.path.clone(), code.parsed().text.range(source))
    }

    fn passed(&self, code: &Code, source: Span) -> Warning {
        let name = self.leaving.first().map_or("", |one| one.name);
        let module = source.of(code.text()).unwrap_or_default();
        let message = format!("`{module}` is passed on here, and `{name}` is taken from elsewhere now");
        Warning::at(WarningKind::RunTime, message, code.path.clone(), code.parsed().text.range(source))
    }

    /// Keeps a script a module when nothing is left in it: who takes all of it (`export *`) still can.
    pub(super) fn still_module(&self, mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
        const MODULE: &[&str] = &["import_statement", "export_statement"];
        if self.is_python() || !self.from.root().children().any(|it| it.is_any(MODULE)) {
            return edits;
        }
        let mut text = self.from.text().to_owned();
        let mut ordered = edits.clone();
        ordered.sort();
        for edit in ordered.iter().rev() {
            text.replace_range(edit.span.start..edit.span.end, &edit.new_text);
        }
        let is_module =
            self.from.with_text(self.session, text).is_some_and(|it| it.root().children().any(|it| it.is_any(MODULE)));
        if !is_module {
            let (end, line) = (self.from.text().len(), format!("export {{}};{}", self.from.newline()));
            match edits.iter_mut().find(|edit| edit.span.end == end) {
                Some(last) => last.new_text.push_str(&line),
                None => edits.push(TextEdit::new(Span::at(end), line)),
            }
        }
        edits
    }
}

/// Tells whether the name of a module only asks it for one name: `shop.total`, `shop["total"]`, a type of it.
fn asks_for_one(module: Node<'_>) -> bool {
    module.parent().is_some_and(|outer| match outer.kind() {
        "subscript_expression" => outer.child("index").is_some_and(|index| index.is("string")),
        // `hasattr(shop, "total")`, `mock.patch.object(shop, "total")`, `vi.spyOn(shop, "total")`
        "argument_list" | "arguments" => beside(module).is_some(),
        kind => matches!(
            kind,
            "attribute"
                | "member_expression"
                | "nested_identifier"
                | "nested_type_identifier"
                | "jsx_member_expression"
                | "type_query"
        ),
    })
}

/// Returns the text that follows the name of a module among the arguments of a call.
fn beside(module: Node<'_>) -> Option<Node<'_>> {
    let list = module.parent().filter(|outer| outer.is_any(&["argument_list", "arguments"]))?;
    list.named_children().skip_while(|it| *it != module).nth(1).filter(|it| it.is("string"))
}

/// Returns the text by which the name of a module is asked for a name: `shop["total"]`.
fn key_of(module: Node<'_>) -> Option<Node<'_>> {
    module.parent().filter(|outer| outer.is("subscript_expression"))?.child("index").filter(|it| it.is("string"))
}
