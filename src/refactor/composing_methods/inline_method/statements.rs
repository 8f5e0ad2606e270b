//! Statements before the one that a call stands in.

mod early_returns;
mod locals;

use super::body::is_comment;
use super::call_site::{Form, Rooms, Site};
use super::inlined_function::{Argument, Inlined, Placed, is_plain, is_single, is_steady};
use crate::refactor::Refusal;
use crate::refactor::analysis::call_sites::{Call, Parameter};
use crate::refactor::analysis::classes::{Class, MemberKind, comments_above, end_of, variable};
use crate::refactor::analysis::evaluation_order::{
    ExpressionReach, can_swap, evaluated_once, reach, reach_before, reach_of,
};
use crate::refactor::analysis::indentation::{Layout, changed};
use crate::refactor::analysis::inferred_types::or_undefined;
use crate::refactor::analysis::substitution::{fitted, in_place};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_class};
use crate::syntax::python::needs_brackets;
use crate::syntax::scopes::Name;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// What holds an answer that is given in several places, and that a larger expression takes.
const HELD: &str = "result";

/// The body on its way to one call.
struct Coming<'a, 'c> {
    inlined: &'a Inlined<'c>,
    call: &'a Call<'c>,
    site: Site<'c>,
    /// Those of the caller.
    names: ScopedNames<'c>,
    rooms: &'a mut Rooms,
    /// In the text of the function.
    edits: Vec<TextEdit>,
    /// Statements that come before the body.
    lines: Vec<String>,
    placed: Placed,
}

impl<'c> Inlined<'c> {
    pub(super) fn put_statements(&self, call: &Call<'c>, rooms: &mut Rooms) -> Result<Placed, Refusal> {
        let mut site = Site::of(call, self.is_async)?;
        self.check_passed(call)?;
        if site.form == Form::Nothing && self.body.answers.is_empty() && site.is_last() {
            site.form = Form::Answered;
        }
        if !self.may_return_early(&site) {
            return Err(self.early(call));
        }
        let names = ScopedNames::of(call.code);
        if site.form == Form::Part {
            self.check_earlier((call, &names), &site)?;
        }
        let placed = Placed { edits: Vec::new(), gone: Vec::new(), types: Vec::new() };
        let (edits, lines) = (Vec::new(), Vec::new());
        let mut coming = Coming { inlined: self, call, site, names, rooms, edits, lines, placed };
        coming.object()?;
        coming.arguments()?;
        let is_unified = coming.locals()?;
        coming.put(is_unified)?;
        Ok(coming.placed)
    }

    /// Refuses a call in a larger expression where what it does, done before the whole statement, would not be the same.
    fn check_earlier(&self, (call, names): (&Call<'c>, &ScopedNames<'c>), site: &Site<'c>) -> Result<(), Refusal> {
        let refuse = |reason: &str| {
            Err(call.refuse(format!("it is called inside a larger expression, where no statement can stand: {reason}")))
        };
        if let Err(reason) = evaluated_once(call.code, site.statement, site.node) {
            return refuse(reason);
        }
        // What the statement sets by way of an assignment it sets last.
        let is_early = |write: &Name| {
            let target = call.code.covering(write.span);
            let outer = target.parent().filter(|it| it.is_any(&["assignment", "assignment_expression"]));
            let is_last = outer.is_some_and(|it| it.child("left") == Some(target) && it.holds(site.node));
            site.statement.span().contains(write.span) && write.span.start < site.node.start() && !is_last
        };
        if names.within(site.node.span()).any(|name| names.writes(name.meaning).any(|write| is_early(&write))) {
            return refuse("the same statement sets what it is passed");
        }
        let code = self.signature.code;
        let whole = self.signature.function.child("body").unwrap_or(self.signature.function);
        let body = reach_of(&self.names, code, whole, self.body.extent);
        let passed = call.list.iter().map(|it| reach(names, call.code, *it)).max().unwrap_or(ExpressionReach::Local);
        if !can_swap(reach_before(names, call.code, site.statement, site.node), body.max(passed)) {
            return refuse("what is evaluated before it could be changed by it, or change it");
        }
        Ok(())
    }

    /// Tells whether a binding in the body is a variable of the function itself.
    pub(super) fn is_local(&self, binding: Name) -> bool {
        let code = self.signature.code;
        let node = code.covering(binding.span);
        let class = node.parent().filter(|it| is_class(*it) && node.field() == Some("name"));
        let home = match class {
            Some(class) => function_of(class),
            None => self.names.function_of_meaning(binding.meaning),
        };
        home == Some(self.signature.function) && self.taken_as(binding).is_none()
    }
}

impl<'c> Coming<'_, 'c> {
    fn is_python(&self) -> bool {
        self.site.code.family() == Family::Python
    }

    /// What a statement of the caller's ends with.
    fn end(&self) -> &'static str {
        let (code, statement) = (self.site.code, self.site.statement);
        match self.is_python() {
            true => "",
            false if statement.text(code.text()).ends_with('}') => code.semicolon(),
            false if statement.text(code.text()).ends_with(';') => ";",
            false => "",
        }
    }

    /// Lets the caller's object stand for the method's own, or a variable of it.
    fn object(&mut self) -> Result<(), Refusal> {
        let (inlined, call) = (self.inlined, self.call);
        let Some(object) = call.object().filter(|_| inlined.has_object()) else { return Ok(()) };
        let is_kept = inlined.own.iter().any(|it| inlined.is_kept(*it));
        let is_name = object.is_any(&["identifier", "this"]);
        if inlined.own.is_empty() {
            return match is_name || inlined.is_unasked(object) {
                true => Ok(()),
                false => Err(call.refuse("what it is called on would not be evaluated any more")),
            };
        }
        let stands = is_steady(&self.names, call, object)
            && (!is_kept || is_single(&self.names, call.code, object))
            && !inlined.captures(&self.names, object);
        let said = match stands {
            true => object.text(call.code.text()).to_owned(),
            false => {
                let class = inlined.signature.class.as_ref().map_or("object", Class::name);
                let wished = variable(class, self.is_python());
                self.variable(&wished, (is_kept, false), &format!("{{}} = {}", self.text_of(call.code, object)))?
            }
        };
        let places = inlined.own.iter().filter(|it| it.text(inlined.signature.code.text()) != said);
        self.edits.extend(places.map(|it| TextEdit::new(it.span(), said.as_str())));
        Ok(())
    }

    fn text_of(&self, code: &'c Code, node: Node<'c>) -> String {
        let said = node.text(code.text());
        if self.is_python() && needs_brackets(said) { format!("({said})") } else { said.to_owned() }
    }

    /// Declares a variable before the body, `{}` being its name.
    fn variable(&mut self, wished: &str, (is_kept, is_set): (bool, bool), said: &str) -> Result<String, Refusal> {
        if is_kept && self.is_python() && self.site.is_repeated() {
            return Err(self.call.refuse("a function inside it keeps a variable, which the loop would change"));
        }
        let signature = self.inlined.signature;
        let name = self.rooms.name(&self.site, (signature.code, signature.function), wished);
        let word = match is_set {
            _ if self.is_python() => "",
            true => "let ",
            false => "const ",
        };
        self.lines.push(format!("{word}{}{}", said.replacen("{}", &name, 1), self.end()));
        Ok(name)
    }

    fn arguments(&mut self) -> Result<(), Refusal> {
        let inlined = self.inlined;
        let mut all: Vec<(usize, Argument<'c>)> = (0..inlined.taken.len())
            .map(|at| Ok((at, inlined.argument(self.call, at)?)))
            .collect::<Result<_, Refusal>>()?;
        all.sort_by_key(|(_, it)| (it.is_default, it.node.start()));
        for (at, argument) in all {
            let taken = &inlined.taken[at];
            if taken.places.is_empty() {
                self.placed.gone.push(argument.node.span());
                let is_calm = is_plain(argument.node)
                    || reach(&self.names, self.call.code, argument.node) != ExpressionReach::Acts;
                if !is_calm {
                    self.lines.push(format!("{}{}", self.text_of(argument.code, argument.node), self.end()));
                }
                continue;
            }
            match self.standing(at, argument) {
                Some(edits) => self.edits.extend(edits),
                None => match self.begun(at, argument) {
                    Some((edits, places)) => {
                        let (code, function) = (inlined.signature.code, inlined.signature.function);
                        let wished = taken.parameter.name.text(code.text());
                        let name = self.rooms.name(&self.site, (code, function), wished);
                        self.edits.extend(edits);
                        self.renamed(&places, wished, &name)?;
                    }
                    None => self.declare(at, argument)?,
                },
            }
        }
        Ok(())
    }

    /// Returns the edits by which an argument stands where it is taken; nothing where it cannot.
    fn standing(&self, at: usize, argument: Argument<'c>) -> Option<Vec<TextEdit>> {
        let (inlined, taken, node) = (self.inlined, &self.inlined.taken[at], argument.node);
        let code = inlined.signature.code;
        let is_kept = taken.places.iter().any(|it| inlined.is_kept(*it));
        let is_steady = is_plain(node)
            || is_steady(&self.names, self.call, node)
                && (!is_kept || inlined.may_keep(&self.names, self.call, (node, taken)));
        let is_asked = is_plain(node) && taken.places.iter().any(|it| is_asked(code, *it));
        if taken.is_set && !(self.is_spent(node) && self.begun(at, argument).is_none())
            || !is_steady
            || is_asked
            || asks_any(code, &taken.parameter, &taken.places)
            || !is_plain(node) && inlined.captures(&self.names, node)
        {
            return None;
        }
        taken.places.iter().map(|place| inlined.stand_in(argument, *place).ok()).collect()
    }

    /// Tells whether nobody asks for a variable of a function of Python once it is passed: the body may give it other values.
    fn is_spent(&self, node: Node<'c>) -> bool {
        let (call, statement) = (self.call, self.site.statement);
        let own = function_of(call.node);
        let Some(name) = self.names.at(node).filter(|_| node.is("identifier") && self.is_python()) else {
            return false;
        };
        let passed = self.names.of_meaning(name.meaning).filter(|it| statement.span().contains(it.span)).count();
        let is_over = |it: Name| {
            let place = call.code.covering(it.span);
            let is_lent = place.parent().is_some_and(|it| it.is_any(&["global_statement", "nonlocal_statement"]));
            it.span.start < statement.end() && function_of(place) == own && !is_lent
        };
        let mut all = self.names.of_meaning(name.meaning);
        passed == 1 && own.is_some() && !self.site.is_repeated() && self.names.is_local(name, own) && all.all(is_over)
    }

    /// Where the body of a function of Python begins by giving the parameter another value, made of the one that is passed
    /// (`number = float(number)`), the argument stands there. Returns the edits for it, and the places of the new value.
    fn begun(&self, at: usize, argument: Argument<'c>) -> Option<(Vec<TextEdit>, Vec<Node<'c>>)> {
        let (inlined, taken, node) = (self.inlined, &self.inlined.taken[at], argument.node);
        let code = inlined.signature.code;
        let first = inlined.body.statements.iter().find(|it| !is_comment(**it))?;
        let assignment = first.named_children().next().filter(|it| it.is("assignment"))?;
        let (left, right) = (assignment.child("left")?, assignment.child("right")?);
        let (inside, rest): (Vec<Node<'c>>, Vec<Node<'c>>) =
            taken.places.iter().partition(|it| right.span().contains(it.span()));
        let is_first = rest.contains(&left) && assignment.child("type").is_none() && !inside.is_empty();
        let is_kept = taken.places.iter().any(|it| inlined.is_kept(*it));
        let stands = is_plain(node) && !node.is("none") && !inside.iter().any(|it| is_asked(code, *it))
            || is_steady(&self.names, self.call, node) && !inlined.captures(&self.names, node);
        if !self.is_python() || !is_first || is_kept || !stands {
            return None;
        }
        let edits: Option<Vec<TextEdit>> = inside.iter().map(|place| inlined.stand_in(argument, *place).ok()).collect();
        Some((edits?, rest))
    }

    /// Gives an argument a variable that is called like the parameter.
    fn declare(&mut self, at: usize, argument: Argument<'c>) -> Result<(), Refusal> {
        let (code, taken) = (self.inlined.signature.code, &self.inlined.taken[at]);
        let wished = taken.parameter.name.text(code.text());
        let mut of = String::new();
        if let Some(typed) = taken.parameter.of.filter(|_| !self.is_python()) {
            of = match taken.parameter.node.is("optional_parameter") {
                true => or_undefined(typed, code.text()),
                false => typed.text(code.text()).to_owned(),
            };
            self.inlined.check_names(self.call, typed.span())?;
            self.placed.types.push(typed.span());
        }
        let is_kept = taken.places.iter().any(|it| self.inlined.is_kept(*it));
        let said = format!("{{}}{of} = {}", self.text_of(argument.code, argument.node));
        let name = self.variable(wished, (is_kept, taken.is_set), &said)?;
        self.renamed(&taken.places, wished, &name)
    }

    /// Writes what is done before the answer, which keeps its distance from the statements above it.
    fn before(&self, parts: &[String], gap: &str) -> String {
        let (code, body) = (self.inlined.signature.code, &self.inlined.body);
        let mut before = parts.iter().map(|it| format!("{it}{gap}")).collect::<String>();
        let is_apart =
            |(last, answer): (&Node<'_>, Node<'_>)| code.text()[last.end()..answer.start()].matches('\n').count() > 1;
        let is_answered = matches!(self.site.form, Form::Answered | Form::Given(_));
        let end = before.len().checked_sub(gap.len()).filter(|_| is_answered);
        if let Some(end) = end.filter(|_| body.statements.last().zip(body.last).is_some_and(is_apart)) {
            before.insert_str(end, self.site.code.newline());
        }
        before
    }

    /// Writes what is done before the answer, all of the body where it returns early.
    fn done(&mut self, held: Option<&str>) -> Result<Vec<String>, Refusal> {
        let (inlined, site) = (self.inlined, &self.site);
        let (code, body) = (inlined.signature.code, &inlined.body);
        let is_whole = body.early.is_some();
        let mut parts = self.lines.clone();
        let first = body.statements.first().copied().or(body.last.filter(|_| is_whole));
        let last = body.last.filter(|_| is_whole).or(body.statements.last().copied());
        if let (Some(first), Some(last)) = (first, last) {
            let above = if is_comment(first) { first.start() } else { comments_above(code, first.start()) };
            let part = Span::new(above, end_of(code, last));
            let said = inlined.written(part, &mut self.edits, (site.code, site.statement)).trim_end().to_owned();
            if !is_whole || site.form == Form::Answered {
                parts.push(said);
            } else {
                let (said, of) = self.settled(&said, held)?;
                self.placed.types.extend(of);
                parts.extend(said);
            }
        }
        Ok(parts)
    }

    /// Writes all of it.
    fn put(&mut self, is_unified: bool) -> Result<(), Refusal> {
        let inlined = self.inlined;
        let (code, body) = (inlined.signature.code, &inlined.body);
        let is_whole = body.early.is_some();
        let held = (is_whole && self.site.form == Form::Part)
            .then(|| self.rooms.name(&self.site, (code, inlined.signature.function), HELD));
        let mut parts = self.done(held.as_deref())?;
        let site = &self.site;
        let statement = site.statement;
        let gap = format!("{}{}", site.code.newline(), site.code.indent(statement.start()));
        let value = body.value.filter(|_| !is_whole && !is_unified);
        let answer = value.map(|it| {
            let said = inlined.written(it.span(), &mut self.edits, (site.code, site.node));
            inlined.awaiting(it, said)
        });
        let answer = answer.or(held);
        let end = self.end();
        let remark = body.last.map(|it| &code.text()[it.end()..end_of(code, it)]).unwrap_or_default();
        let remark = if is_whole || is_unified || site.form == Form::Part { "" } else { remark };
        let exchanged = |parts: &[String]| TextEdit::new(statement.span(), parts.join(&gap));
        let edits = match (site.form, answer) {
            (Form::Nothing, answer) => {
                let kept = answer.filter(|_| value.is_some_and(|it| !self.is_idle(it)));
                if kept.as_ref().is_some_and(|it| !self.is_python() && !it.starts_with(|it: char| it.is_alphabetic())) {
                    return Err(self
                        .call
                        .refuse("its result is not used here, and its expression cannot be a statement"));
                }
                parts.extend(kept.map(|it| format!("{it}{end}{remark}")));
                vec![if parts.is_empty() { self.nothing() } else { exchanged(&parts) }]
            }
            (Form::Given(_), None) if is_unified || is_whole => vec![exchanged(&parts)],
            (Form::Answered, None) => {
                if parts.is_empty() || !site.is_last() && (!is_whole || body.falls()) {
                    parts.push(format!("return{end}"));
                }
                vec![exchanged(&parts)]
            }
            (Form::Given(_) | Form::Part, None) if !self.is_python() => {
                return Err(self.call.refuse("it gives nothing"));
            }
            (_, answer) => {
                let before = self.before(&parts, &gap);
                let said = self.answered(answer.unwrap_or_else(|| "None".to_owned()), value)?;
                vec![
                    TextEdit::new(Span::at(statement.start()), before),
                    TextEdit::new(site.node.span(), said),
                    TextEdit::new(Span::at(statement.end()), remark),
                ]
            }
        };
        let edits = match self.site.bare {
            Some(start) => vec![self.braced(start, edits)?],
            None => edits,
        };
        self.placed.edits.extend(edits.into_iter().filter(|it| !it.span.is_empty() || !it.new_text.is_empty()));
        Ok(())
    }

    /// Writes an answer as it has to read in a larger expression.
    fn answered(&self, said: String, value: Option<Node<'c>>) -> Result<String, Refusal> {
        let node = self.site.node;
        if self.site.form != Form::Part {
            return Ok(said);
        }
        let said = fitted(self.site.code, &said, node)?;
        Ok(match value {
            Some(value) => in_place(self.site.code, value, said, node),
            None => said,
        })
    }

    /// Puts braces around what comes in the place of a statement that had none.
    fn braced(&self, start: usize, mut edits: Vec<TextEdit>) -> Result<TextEdit, Refusal> {
        let (code, statement) = (self.site.code, self.site.statement);
        let (end, layout) = (code.newline(), Layout::of(code));
        let (outer, own) = (code.indent(start), code.indent(statement.start()));
        edits.sort_by_key(|edit| edit.span);
        let said = changed(code.text(), statement.span(), &edits);
        let step = if outer == own { layout.step() } else { "" };
        if !step.is_empty() && said.contains('`') && said.contains('\n') {
            return Err(self.call.refuse("its text goes over lines, and would stand elsewhere in them"));
        }
        let said = said.trim().replace('\n', &format!("\n{step}"));
        let inner = if said.is_empty() { String::new() } else { format!("{end}{own}{step}{said}{end}{outer}") };
        Ok(TextEdit::new(Span::new(start, statement.end()), format!(" {{{inner}}}")))
    }

    /// Takes the statement away; a block of Python cannot be empty.
    fn nothing(&self) -> TextEdit {
        let (code, statement) = (self.site.code, self.site.statement);
        let is_only =
            statement.parent().is_some_and(|it| it.named_children().filter(|it| !is_comment(*it)).count() == 1);
        match is_only && self.is_python() {
            true => TextEdit::new(statement.span(), "pass"),
            false if self.site.bare.is_some() => TextEdit::new(statement.span(), ""),
            false => TextEdit::new(Span::new(code.line_start(statement.start()), code.next_line(statement.end())), ""),
        }
    }

    /// Tells whether nobody notices that an answer is not asked for.
    fn is_idle(&self, value: Node<'c>) -> bool {
        let inlined = self.inlined;
        let text = inlined.signature.code.text();
        let member = value.child("attribute").or_else(|| value.child("property"));
        let field = member.filter(|_| inlined.own.iter().any(|it| Some(*it) == value.child("object")));
        let is_field = field.zip(inlined.signature.class).is_some_and(|(field, class)| {
            let members = class.members_named(field.text(text));
            !members.is_empty()
                && members
                    .iter()
                    .all(|it| matches!(it.kind, MemberKind::Field | MemberKind::Assigned | MemberKind::Parameter))
        });
        let is_list = value.is_any(&["tuple", "expression_list", "list", "array"]);
        is_plain(value)
            || is_field
            || value.is_any(&["identifier", "this", "undefined"])
            || is_list && value.named_children().all(|it| self.is_idle(it))
    }
}

/// Tells whether a value is asked whether it is this or that: one that is written out gives one answer alone.
fn is_asked(code: &Code, place: Node<'_>) -> bool {
    const ASKING: &[&str] = &[
        "boolean_operator",
        "comparison_operator",
        "conditional_expression",
        "elif_clause",
        "if_statement",
        "not_operator",
        "switch_statement",
        "match_statement",
        "ternary_expression",
        "while_statement",
    ];
    const OPERATORS: &[&str] = &["!", "&&", "||", "??", "==", "===", "!=", "!=="];
    let mut around = place.ancestors().skip_while(|it| it.is("parenthesized_expression"));
    around.next().is_some_and(|outer| {
        let operator = outer.child("operator").map(|it| it.text(code.text())).unwrap_or_default();
        outer.is_any(ASKING) || OPERATORS.contains(&operator)
    })
}

/// Tells whether a parameter is of the type `any`, and asked for what its argument may not be known to have.
fn asks_any(code: &Code, parameter: &Parameter<'_>, places: &[Node<'_>]) -> bool {
    let is_any = parameter.of.is_some_and(|it| it.text(code.text()).trim_start_matches(':').trim() == "any");
    is_any && code.is_typed_script() && places.iter().any(|it| matches!(it.field(), Some("object" | "function")))
}
