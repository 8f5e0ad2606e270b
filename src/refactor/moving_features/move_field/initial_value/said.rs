//! Where the first value of a field is said once the field is another object's.

use super::{First, Origin};
use crate::refactor::Refusal;
use crate::refactor::analysis::blocks::first_statement;
use crate::refactor::analysis::classes::{Member, MemberKind, Slot, receiver};
use crate::refactor::analysis::delegate_field::constructor;
use crate::refactor::analysis::edits::Edits;
use crate::refactor::analysis::imports::required;
use crate::refactor::analysis::imports::required::MovedPieces;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::moving_features::extract_class::{Init, bare, opening};
use crate::refactor::scopes::ScopedNames;
use crate::session::Session;
use crate::syntax::Family;
use crate::text::{Span, TextEdit};

impl<'c> First<'_, 'c> {
    /// Says the value where it belongs now, and declares the field in the other class.
    pub(in super::super) async fn put(&self, session: &Session, edits: &mut Edits) -> Result<(), Refusal> {
        let code = self.code();
        let declared: Vec<Member<'c>> =
            self.field.members.iter().filter(|it| it.kind == MemberKind::Field).copied().collect();
        edits.add(code, self.field.class.without(&declared)?);
        if self.is_constant() && self.is_quiet && self.put_constant(edits)? {
            return Ok(());
        }
        self.declare(session, edits).await?;
        edits.add(code, self.set_through());
        Ok(())
    }

    /// Lets the other class give its objects the value themselves, where it can.
    fn put_constant(&self, edits: &mut Edits) -> Result<bool, Refusal> {
        let (code, to) = (self.code(), self.to);
        let name = bare(self.field.name);
        let written = match &self.origin {
            Origin::Declared(member) => Some(self.moved(member)?),
            Origin::Set(init) if code.family() == Family::Script => {
                let is_bare =
                    init.extent.start == init.statement.start() && init.extent.end <= init.statement.end() + 1;
                let typed = self.field.type_node().map_or("", |it| it.text(code.text()));
                is_bare.then(|| format!("{name}{typed} = {};", init.value.text(code.text())))
            }
            _ => None,
        };
        if let Some(written) = written {
            edits.add(to.code, [to.with(Slot::Field, &[written])]);
            edits.add(code, self.taken_out());
            return Ok(true);
        }
        let Origin::Set(init) = &self.origin else { return Ok(false) };
        let Some(edit) = self.in_constructor(init).filter(|_| code.family() == Family::Python) else {
            return Ok(false);
        };
        edits.add(to.code, [edit]);
        edits.add(code, self.taken_out());
        Ok(true)
    }

    /// Puts `self.rate = 3` into the constructor of the other class, or gives it one.
    fn in_constructor(&self, init: &Init<'c>) -> Option<TextEdit> {
        let (code, to) = (self.code(), self.to);
        let (end, indent, step) = (to.code.newline(), to.indent(), Layout::of(to.code).step().to_owned());
        let said = |receiver: &str, base: &str| {
            let target = Span::new(init.target.start(), init.target.end());
            let edits = [TextEdit::new(target, format!("{receiver}.{}", bare(self.field.name)))];
            Layout::of(code).moved_with(init.extent, base, &edits).replace(code.newline(), end)
        };
        let built = to.members().iter().filter(|it| it.kind == MemberKind::Constructor).count();
        if built == 0 && to.bases().is_empty() {
            let answer =
                constructor(&self.field.class).and_then(|it| it.child("return_type")).map_or("", |_| " -> None");
            let text =
                format!("def __init__(self){answer}:{end}{indent}{step}{}", said("self", &format!("{indent}{step}")));
            return Some(to.with(Slot::Constructor, &[text]));
        }
        let function = constructor(to)?;
        let statement = first_statement(function.child("body")?)?;
        let base = to.code.indent(statement.start());
        let is_own_line = to.code.text()[to.code.line_start(statement.start())..statement.start()].trim().is_empty();
        let said = said(receiver(to.code, function)?, base);
        match statement.is("pass_statement") {
            _ if !is_own_line => None,
            true => Some(TextEdit::new(statement.span(), said)),
            false => Some(TextEdit::new(Span::at(statement.start()), format!("{said}{end}{base}"))),
        }
    }

    /// Writes a declaration for the other class, for everybody to use.
    fn moved(&self, member: &Member<'c>) -> Result<String, Refusal> {
        let code = self.code();
        let mut edits = Vec::new();
        for child in member.node.children().take_while(|it| it.start() < member.name.start()) {
            let is_fixed = child.kind() == "readonly" && self.is_constant();
            if (child.is("accessibility_modifier") || child.kind() == "readonly") && !is_fixed {
                edits.push(TextEdit::new(Span::new(child.start(), code.next_word(child.end())), ""));
            }
        }
        edits.push(TextEdit::new(member.name.span(), bare(self.field.name)));
        let is_set = matches!(self.origin, Origin::Set(_));
        if code.is_typed_script() && is_set && !member.node.children().any(|it| matches!(it.kind(), "!" | "?")) {
            edits.push(TextEdit::new(Span::at(member.name.end()), "!"));
        }
        let extent = self.field.class.extent(member)?;
        let text = Layout::of(code).moved_with(extent, &self.to.indent(), &edits);
        Ok(text.replace(code.newline(), self.to.code.newline()))
    }

    /// Declares the field where it gets its value from outside.
    async fn declare(&self, session: &Session, edits: &mut Edits) -> Result<(), Refusal> {
        let (code, to) = (self.code(), self.to);
        let name = bare(self.field.name);
        let declared = self.field.members.iter().find(|it| it.kind == MemberKind::Field);
        let at = self.field.members[0].name;
        let typed = self.field.type_node();
        if let Some(typed) = typed.filter(|_| to.code.path != code.path) {
            required::carry(
                session,
                &MovedPieces { from: code, pieces: &[typed.span()], to: to.code, given: &[to.name()] },
                edits,
            )?;
        }
        let written = match (declared, typed, code.family()) {
            (Some(member), ..) => Some(self.moved(member)?),
            (None, Some(_), _) if self.is_early() => self.field.written_type().map(|it| format!("{name}: \"{it}\"")),
            (None, Some(_), Family::Python) => self.field.written_type().map(|it| format!("{name}: {it}")),
            (None, Some(_), _) => self.field.written_type().map(|it| format!("{name}!: {it};")),
            (None, None, Family::Python) => {
                inferred_types::built_in(session, code, at).await.map(|it| format!("{name}: {it}"))
            }
            (None, None, _) if !code.is_typed_script() => return Ok(()),
            _ => None,
        };
        let missing = || code.refuse(at.start(), format!("write its type: `{}` has to declare it", to.name()));
        edits.add(to.code, [to.with(Slot::Field, &[written.ok_or_else(missing)?])]);
        Ok(())
    }

    /// Tells whether a type of Python is not known yet where the other class is made, in the same file.
    fn is_early(&self) -> bool {
        let (code, to) = (self.code(), self.to);
        let Some(typed) = self.field.type_node().filter(|_| code.family() == Family::Python) else { return false };
        let names = ScopedNames::of(code);
        let mut bindings =
            names.within(typed.span()).flat_map(|name| names.of_meaning(name.meaning).filter(|it| it.is_binding));
        let is_late = bindings.any(|it| to.code.path == code.path && it.span.start >= to.statement().start());
        is_late && !typed.text(code.text()).contains(['"', '\''])
    }

    /// Sets the field through the one that holds the object.
    fn set_through(&self) -> Vec<TextEdit> {
        let code = self.code();
        let asked = format!("{}.{}", self.held.field.name, bare(self.field.name));
        let Origin::Set(init) = &self.origin else {
            let mut edits = self.taken_out();
            if let Origin::Given(member) = &self.origin {
                edits.push(self.behind_made(&format!("this.{asked} = {};", member.name.text(code.text()))));
            }
            return edits;
        };
        let property = init.target.child("attribute").or_else(|| init.target.child("property"));
        let mut edits: Vec<TextEdit> =
            property.into_iter().map(|it| TextEdit::new(it.span(), asked.as_str())).collect();
        // What is declared in the other class already.
        let typed = init.target.parent().and_then(|it| it.child("type"));
        edits.extend(typed.map(|it| TextEdit::new(Span::new(init.target.end(), it.end()), "")));
        if !self.is_before() {
            return edits;
        }
        let base = code.indent(init.statement.start());
        let mut gone = self.taken_out();
        gone.push(self.behind_made(&Layout::of(code).moved_with(init.extent, base, &edits)));
        gone
    }

    /// Puts a statement right behind what makes the held object.
    fn behind_made(&self, said: &str) -> TextEdit {
        let code = self.code();
        let end = code.newline();
        if let Some(statement) = self.held.statement {
            return TextEdit::new(Span::at(self.made_at()), format!("{end}{}{said}", code.indent(statement.start())));
        }
        let body = constructor(&self.field.class).and_then(|it| it.child("body"));
        let Some(body) = body else { return TextEdit::new(Span::at(self.made_at()), "") };
        let base = code.indent(body.start());
        let tail = if body.named_children().next().is_none() { format!("{end}{base}") } else { String::new() };
        TextEdit::new(Span::at(opening(code, body)), format!("{end}{base}{}{said}{tail}", Layout::of(code).step()))
    }

    /// Takes the first value out of where it is.
    fn taken_out(&self) -> Vec<TextEdit> {
        let code = self.code();
        match &self.origin {
            Origin::Declared(_) => Vec::new(),
            Origin::Given(member) => vec![TextEdit::new(Span::new(member.node.start(), member.name.start()), "")],
            Origin::Set(init) => {
                let lines = Span::new(code.line_start(init.extent.start), code.next_line(init.extent.end));
                vec![TextEdit::new(lines, "")]
            }
        }
    }
}
