//! `get` and `set` in the place of a property.

use super::accessors::{Accessors, renamed};
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind as Made, Slot};
use crate::refactor::analysis::fields::Field;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types;
use crate::refactor::analysis::references::{Use, Uses};
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::function_of;
use crate::session::Session;
use crate::syntax::Language;
use crate::text::{Span, TextEdit};

pub(super) async fn edits(
    session: &Session,
    field: &Field<'_>,
    accessors: &Accessors,
    uses: &Uses,
) -> Result<Vec<TextEdit>, Refusal> {
    let code = field.class.code;
    let declared = field.members.iter().find(|it| matches!(it.kind, Made::Field | Made::Parameter));
    if let Some(member) = declared {
        let marks = ["static", "abstract", "declare", "accessor", "override"];
        if let Some(mark) = marks.iter().find(|mark| member.is_static || member.is_marked(code, mark)) {
            return Err(code.refuse(member.name.start(), format!("it is `{mark}`")));
        }
    }
    let constructor = field.constructor();
    let own = uses.files.get(&code.path).into_iter().flat_map(|file| &file.uses);
    let own = own.filter(|one| field.class.node.span().contains(one.span) && one.member(code).is_some());
    let is_of_this = |one: &Use| one.member(code).and_then(|it| it.child("object")).is_some_and(|it| it.is("this"));
    let is_made = |one: &&Use| constructor.is_some() && function_of(one.node(code)) == constructor && is_of_this(one);
    let mut edits: Vec<TextEdit> = if accessors.storage == field.name {
        renamed(own.filter(|one| !is_made(one)).map(|one| one.span), &accessors.name).collect()
    } else {
        let mut edits: Vec<TextEdit> = renamed(own.filter(is_made).map(|one| one.span), &accessors.storage).collect();
        edits.extend(declared.into_iter().flat_map(|member| kept(field, member, &accessors.storage)));
        edits
    };
    edits.sort();
    edits.dedup();
    edits.push(field.class.with(Slot::Method, &written(session, field, accessors, declared).await?));
    Ok(edits)
}

/// Makes the declaration one of the storage: private, and under its name.
pub(crate) fn kept(field: &Field<'_>, member: &Member<'_>, storage: &str) -> Vec<TextEdit> {
    let code = field.class.code;
    let mut edits = vec![TextEdit::new(member.name.span(), storage)];
    if !matches!(code.parsed().tree.language(), Language::JavaScript | Language::Python) {
        let modifier = member.node.children().find(|child| child.is("accessibility_modifier"));
        edits.push(match modifier {
            Some(word) => TextEdit::new(word.span(), "private"),
            None => TextEdit::new(Span::at(member.node.start()), "private "),
        });
    }
    if member.kind == Made::Parameter {
        let names = ScopedNames::of(code);
        let meaning = names.at(member.name).map(|name| name.meaning);
        let others = meaning.into_iter().flat_map(|meaning| names.of_meaning(meaning).collect::<Vec<_>>());
        for other in others.filter(|other| other.span != member.name.span()) {
            let node = code.covering(other.span);
            let key =
                if node.is("shorthand_property_identifier") { format!("{}: ", field.name) } else { String::new() };
            edits.push(TextEdit::new(other.span, format!("{key}{storage}")));
        }
    }
    // A private name before a field without a modifier begins where the modifier is put.
    edits.sort();
    match edits.iter().position(|edit| edit.span.is_empty()) {
        Some(at) if edits.get(at + 1).is_some_and(|next| next.span.start == edits[at].span.start) => {
            let word = edits.remove(at);
            edits[at].new_text.insert_str(0, &word.new_text);
        }
        _ => {}
    }
    edits
}

async fn written(
    session: &Session,
    field: &Field<'_>,
    accessors: &Accessors,
    declared: Option<&Member<'_>>,
) -> Result<Vec<String>, Refusal> {
    let code = field.class.code;
    let Accessors { storage, name } = accessors;
    let typed = if code.parsed().tree.language() == Language::JavaScript {
        String::new()
    } else {
        let known = match field.written_type() {
            Some(written) => written.to_owned(),
            None => inferred_types::known(session, code, field.members[0].name).await?,
        };
        let is_optional = declared.is_some_and(|member| member.node.children().any(|child| child.kind() == "?"));
        format!(": {known}{}", if is_optional { " | undefined" } else { "" })
    };
    let modifier = declared.and_then(|it| it.node.children().find(|child| child.is("accessibility_modifier")));
    let modifier = modifier.map(|word| format!("{} ", word.text(code.text())));
    let modifier = match modifier.filter(|word| word != "public ") {
        None if storage.starts_with('#') && code.is_typed_script() => "private ".to_owned(),
        modifier => modifier.unwrap_or_default(),
    };
    let (end, indent, close) = (code.newline(), field.class.indent(), code.semicolon());
    let step = Layout::of(code).step().to_owned();
    let get = format!("{modifier}get {name}(){typed} {{{end}{indent}{step}return this.{storage}{close}{end}{indent}}}");
    let set =
        format!("{modifier}set {name}(value{typed}) {{{end}{indent}{step}this.{storage} = value{close}{end}{indent}}}");
    let is_fixed = declared.is_some_and(|it| it.is_marked(code, "readonly"));
    Ok(if is_fixed { vec![get] } else { vec![get, set] })
}
