//! A field that comes to be kept under another name, behind accessors that do more than to keep it.

use crate::plan::Warning;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind as Made, Slot};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::parameter_fields::set_from_parameter;
use crate::refactor::analysis::references::Uses;
use crate::refactor::obstacles::Noted;
use crate::refactor::request::Target;
use crate::refactor::source_file::Code;
use crate::session::Session;
use crate::syntax::{Family, Language, Node};
use crate::text::{Span, TextEdit};

pub(super) struct Stored<'c> {
    pub field: Field<'c>,
    /// What it is kept as.
    pub storage: String,
    /// The type that is said for it.
    pub typed: Option<String>,
}

impl<'c> Stored<'c> {
    /// Finds the field that the target names; refuses one that accessors cannot stand for.
    pub(super) async fn of(session: &Session, code: &'c Code, target: &Target) -> Result<Self, Refusal> {
        let field = Field::of(code, target)?;
        let at = field.members[0].name.start();
        let refuse = |reason: &str| Err(code.refuse(at, reason));
        let bare = field.name.trim_start_matches(['_', '#']);
        if bare != field.name {
            return refuse("it is private: `self-encapsulate-field` gives it accessors first");
        }
        for member in &field.members {
            let marks = ["static", "abstract", "declare", "accessor", "override", "readonly"];
            if member.is_static || marks.iter().any(|mark| member.is_marked(code, mark)) {
                return refuse("it is more than a field that can be set");
            }
            if member.kind == Made::Field && value(member).is_some() {
                return refuse("it has a value before the constructor sets it");
            }
        }
        let around = field.around(session).await?;
        field.check_plain(&around).noted()?;
        let storage = format!("_{bare}");
        field.check_free(&around, &storage).noted()?;
        let uses = Uses::of(session, code, at).await?;
        if let Some((there, one, reason)) =
            uses.iter().find_map(|(there, one)| Some((there, one, around.unserved(&field, (there, one))?)))
        {
            return Err(there.refuse(one.span.start, reason));
        }
        let typed = match (field.written_type(), code.parsed().tree.language()) {
            (_, Language::JavaScript) => None,
            (Some(written), _) => Some(written.to_owned()),
            (None, Language::Python) => None,
            (None, _) => Some(inferred_types::known(session, code, field.members[0].name).await?),
        };
        Ok(Self { field, storage, typed })
    }

    fn code(&self) -> &'c Code {
        self.field.class.code
    }

    /// Tells whether it may hold nothing.
    pub(super) fn is_open(&self) -> bool {
        let is_optional = self.field.members.iter().any(|it| it.node.children().any(|child| child.kind() == "?"));
        let may_be = |said: &String| {
            ["None", "Optional", "null", "undefined"]
                .iter()
                .any(|word| !crate::syntax::whole_words(said, word).is_empty())
        };
        is_optional || self.typed.as_ref().is_none_or(may_be)
    }

    /// Returns the words that say who may use it.
    pub(super) fn words(&self) -> String {
        let word =
            self.field.members.iter().find_map(|it| it.node.children().find(|it| it.is("accessibility_modifier")));
        let word = word.map(|it| it.text(self.code().text())).filter(|it| *it != "public");
        word.map(|it| format!("{it} ")).unwrap_or_default()
    }

    pub(super) fn warnings(&self, session: &Session) -> Vec<Warning> {
        self.field.listed(session, &self.storage)
    }

    /// Keeps the field under its new name, and puts the accessors into the class.
    pub(super) fn edits(&self, accessors: &[String]) -> Result<Vec<TextEdit>, Refusal> {
        self.edits_as(accessors, self.typed.as_deref())
    }

    /// Does the same where what is kept is of another type.
    pub(super) fn edits_as(&self, accessors: &[String], kept: Option<&str>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, class) = (self.code(), self.field.class);
        let mut edits = vec![class.with(Slot::Method, accessors)];
        for member in self.field.members.iter().filter(|it| it.kind != Made::Assigned) {
            match (member.kind, code.family()) {
                (Made::Parameter, _) => edits.extend(self.set_apart(member, kept)?),
                (_, Family::Python) => edits.extend(class.without(&[*member])?),
                _ => edits.push(self.declared(member, kept)),
            }
        }
        // A property has no type of its own where it is set.
        let typed = self.field.members.iter().filter(|it| it.kind == Made::Assigned && code.family() == Family::Python);
        edits.extend(typed.filter_map(|it| {
            let typed = it.node.parent()?.child("type")?;
            Some(TextEdit::new(Span::new(it.node.end(), typed.end()), ""))
        }));
        Ok(edits)
    }

    /// Declares what is kept where the field was declared.
    fn declared(&self, member: &Member<'c>, kept: Option<&str>) -> TextEdit {
        let text = self.storage_field(kept);
        let node = member.node;
        let end = node.child("type").map_or(member.name.end(), Node::end);
        TextEdit::new(Span::new(node.start(), end), text)
    }

    fn storage_field(&self, kept: Option<&str>) -> String {
        let typed = kept.map(|it| format!("!: {it}")).unwrap_or_default();
        let word = if self.code().is_typed_script() { "private " } else { "" };
        format!("{word}{}{typed}", self.storage)
    }

    /// Makes a parameter that is a field a bare one, which the constructor sets the field from.
    fn set_apart(&self, member: &Member<'c>, kept: Option<&str>) -> Result<Vec<TextEdit>, Refusal> {
        let (code, class, field) = (self.code(), self.field.class, self.field.name);
        let set = format!("this.{field} = {field}{}", code.semicolon());
        let mut edits = set_from_parameter(&class, member, &set)?;
        let declared = format!("{}{}", self.storage_field(kept), code.semicolon());
        edits.push(class.with(Slot::Constructor, &[declared]));
        Ok(edits)
    }
}

fn value<'c>(member: &Member<'c>) -> Option<Node<'c>> {
    member.node.child("value").or_else(|| member.name.parent()?.child("right"))
}
