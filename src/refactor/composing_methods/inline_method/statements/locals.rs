//! The variables of a body, as they can be called where it comes to stand.

use std::collections::BTreeMap;

use super::Coming;
use crate::refactor::Refusal;
use crate::refactor::analysis::substitution::check_place;
use crate::refactor::composing_methods::inline_method::call_site::{Form, Rooms};
use crate::refactor::source_file::function_of;
use crate::syntax::Node;
use crate::syntax::scopes::Name;
use crate::text::TextEdit;

impl<'c> Coming<'_, 'c> {
    /// Names the variables of the body as it can be at the call. Tells whether one of them is the answer's own.
    pub(super) fn locals(&mut self) -> Result<bool, Refusal> {
        let (inlined, code) = (self.inlined, self.inlined.signature.code);
        let mut named: BTreeMap<&str, String> = BTreeMap::new();
        let unified = self.unified();
        named.extend(unified.iter().map(|(local, target)| (*local, (*target).to_owned())));
        let bindings: Vec<Name> = inlined.names.within(inlined.body.extent).filter(|it| it.is_binding).collect();
        let mut seen = Vec::new();
        for binding in bindings.into_iter().filter(|it| inlined.is_local(*it)) {
            if seen.contains(&binding.meaning) {
                continue;
            }
            seen.push(binding.meaning);
            let old = binding.span.of(code.text()).unwrap_or_default();
            let places: Vec<Node<'c>> =
                inlined.names.of_meaning(binding.meaning).map(|it| code.covering(it.span)).collect();
            let is_named = |it: &Node<'c>| it.field() == Some("name");
            let variable = code.covering(binding.span);
            let is_wide = self.is_python() || is_var(variable);
            if places.iter().any(|it| !is_named(it) && inlined.is_kept(*it)) && is_wide && self.site.is_repeated() {
                return Err(self
                    .call
                    .refuse(format!("a function inside it keeps `{old}`, which the loop would change")));
            }
            if is_var(variable)
                && variable.parent().is_some_and(|it| it.child("value").is_none())
                && self.site.is_repeated()
            {
                return Err(self
                    .call
                    .refuse(format!("`{old}` would keep its value from one round of the loop to the next")));
            }
            if !named.contains_key(old) {
                let home = (code, inlined.signature.function);
                let new = match self.is_inner(&places, binding) {
                    true => Rooms::inner_name(&self.site, home, old),
                    false => self.rooms.name(&self.site, home, old),
                };
                named.insert(old, new);
            }
            let new = named[old].clone();
            self.renamed(&places, old, &new)?;
        }
        let around = function_of(self.site.node);
        let sees = around.and_then(|it| self.site.code.looks_around(it, &["locals", "vars", "eval", "exec"]));
        match sees.filter(|_| !named.is_empty() || !self.lines.is_empty()) {
            Some(sees) => Err(self.call.refuse(format!("`{sees}` would see its variables here"))),
            None => Ok(!unified.is_empty()),
        }
    }

    /// Tells whether a variable is known in a part of the body alone, or is asked for by nobody.
    fn is_inner(&self, places: &[Node<'c>], binding: Name) -> bool {
        let (inlined, code) = (self.inlined, self.inlined.signature.code);
        let node = code.covering(binding.span);
        if is_var(node) {
            return false;
        }
        let statement = node.ancestors().find(|it| inlined.body.statements.contains(it));
        let is_part = |it: Node<'c>| match self.is_python() {
            true => it.kind().ends_with("comprehension") || it.is("generator_expression"),
            false => it.is_any(&["statement_block", "for_statement", "for_in_statement", "catch_clause"]),
        };
        let mut around = node.ancestors().take_while(|it| Some(*it) != statement.and_then(Node::parent));
        around.any(is_part)
            || node.text(code.text()) == "_" && places.len() == inlined.names.writes(binding.meaning).count()
    }

    /// Returns the variables that the body answers with, and the caller's new ones for them, where all of them can be one.
    fn unified(&self) -> Vec<(&'c str, &'c str)> {
        let body = &self.inlined.body;
        // What a script assigns in several places is declared before them.
        let value = match (body.early, body.answers.as_slice()) {
            (None, _) => body.value,
            (Some(_), [only]) if self.is_python() => Some(*only),
            _ => None,
        };
        let (Form::Given(target), Some(value)) = (self.site.form, value) else { return Vec::new() };
        if !target.is("pattern_list") || !value.is("expression_list") {
            return self.unified_as(value, target).into_iter().collect();
        }
        let (values, targets): (Vec<_>, Vec<_>) = (value.named_children().collect(), target.named_children().collect());
        let pairs: Option<Vec<_>> =
            values.iter().zip(&targets).map(|(value, target)| self.unified_as(*value, *target)).collect();
        let mut pairs = pairs.filter(|_| values.len() == targets.len()).unwrap_or_default();
        let all = pairs.len();
        pairs.sort_unstable();
        pairs.dedup_by_key(|(old, _)| *old);
        if pairs.len() == all { pairs } else { Vec::new() }
    }

    /// Returns one of them.
    fn unified_as(&self, value: Node<'c>, target: Node<'c>) -> Option<(&'c str, &'c str)> {
        if !value.is("identifier") {
            return None;
        }
        let (inlined, code) = (self.inlined, self.inlined.signature.code);
        let local = inlined.names.at(value)?;
        let binding = inlined.names.of_meaning(local.meaning).find(|it| it.is_binding)?;
        let declared = code.covering(binding.span);
        let theirs = self.names.at(target).filter(|_| target.is("identifier"))?;
        let (old, new) = (value.text(code.text()), target.text(self.site.code.text()));
        let is_known = old != new && code.mentions(inlined.signature.function, new);
        if !inlined.is_local(binding) || is_known || self.names.writes(theirs.meaning).count() != 1 {
            return None;
        }
        let holder = target.parent().map(|it| if it.is("pattern_list") { it.parent().unwrap_or(it) } else { it })?;
        let is_typed = holder.child("type").is_some() || self.site.statement.is("export_statement");
        let is_single = match self.is_python() {
            true => {
                function_of(self.site.node).is_some()
                    && self.names.is_local(theirs, function_of(self.site.node))
                    && inlined.names.writes(local.meaning).all(|it| {
                        let parent = code.covering(it.span).parent();
                        parent.is_some_and(|it| it.is_any(&["assignment", "augmented_assignment"]))
                    })
            }
            false => {
                let declaration = declared.parent().and_then(Node::parent);
                holder.is("variable_declarator")
                    && ["const", "var"].iter().any(|it| self.site.statement.text(self.site.code.text()).starts_with(it))
                    && declared.parent().is_some_and(|it| it.is("variable_declarator"))
                    && declaration.is_some_and(|it| inlined.body.statements.contains(&it))
            }
        };
        (is_single && !is_typed).then_some((old, new))
    }

    /// Gives the places of a variable another name.
    pub(super) fn renamed(&mut self, places: &[Node<'c>], old: &str, new: &str) -> Result<(), Refusal> {
        let code = self.inlined.signature.code;
        if old == new {
            return Ok(());
        }
        for place in places {
            let is_imported =
                place.ancestors().any(|it| it.kind().starts_with("import") && it.kind().ends_with("statement"));
            if is_imported {
                return Err(self.call.refuse(format!("`{old}`, which it imports, is already in use here")));
            }
            if !place.ancestors().any(|it| it.is("type_annotation")) {
                check_place(code, new, *place)?;
            }
            let is_short = place.kind().starts_with("shorthand_property_identifier");
            let said = if is_short { format!("{old}: {new}") } else { new.to_owned() };
            self.edits.push(TextEdit::new(place.span(), said));
        }
        Ok(())
    }
}

/// Tells whether a variable of a script is known in the whole function around (ECMA-262 § 14.3.2).
fn is_var(name: Node<'_>) -> bool {
    const HOLDERS: &[&str] = &["for_in_statement", "lexical_declaration", "statement_block", "variable_declaration"];
    let holder = name.ancestors().find(|it| it.is_any(HOLDERS));
    holder.is_some_and(|it| it.is("variable_declaration") || it.child("kind").is_some_and(|word| word.kind() == "var"))
}
