//! The class without its code, and the subclasses that stand for it.

use super::super::kinds::{Kind, unknown};
use super::coded::Coded;
use super::made::Needs;
use crate::refactor::Refusal;
use crate::refactor::analysis::classes::{Member, MemberKind as Made, Slot};
use crate::refactor::analysis::indentation::{Layout, without_lines};
use crate::refactor::analysis::parameter_docs::without_docs;
use crate::refactor::analysis::sibling_declarations::{behind, in_order};
use crate::refactor::source_file::is_block;
use crate::syntax::{Language, Node};
use crate::text::{Span, TextEdit};

pub(super) fn edits(coded: &Coded<'_>, needs: Needs) -> Result<Vec<TextEdit>, Refusal> {
    let (code, class) = (coded.code(), coded.class());
    let mut edits = coded.signature.without(&[coded.at], None)?;
    edits.extend(without_docs(coded.signature, &[coded.at]));
    edits.extend(coded.statement.map(|it| taken(coded, it)));
    let declared: Vec<Member<'_>> = coded.field.members.iter().filter(|it| it.kind == Made::Field).copied().collect();
    if !declared.is_empty() {
        edits.extend(class.without(&declared)?);
    }
    let mut members = vec![asked(coded)];
    if needs == Needs::Factory {
        members.push(factory(coded));
    }
    edits.push(class.with(Slot::Method, &members));
    if code.is_typed_script() {
        edits.push(TextEdit::new(Span::at(class.node.start()), "abstract "));
    }
    edits.push(behind(code, class.statement(), &subclasses(coded)));
    Ok(in_order(edits))
}

/// Takes the statement out that set the field.
fn taken(coded: &Coded<'_>, statement: Node<'_>) -> TextEdit {
    let code = coded.code();
    let block = statement.parent().filter(|it| is_block(*it));
    let is_alone = block.is_some_and(|it| it.named_children().count() == 1);
    match is_alone {
        true if coded.is_python() => TextEdit::new(statement.span(), "pass"),
        true => without_lines(code, statement.span()),
        false => TextEdit::new(Span::new(code.line_start(statement.start()), code.next_line(statement.end())), ""),
    }
}

/// Writes what each subclass answers in its own way.
fn asked(coded: &Coded<'_>) -> String {
    let code = coded.code();
    let (end, indent, step) = (code.newline(), coded.class().indent(), Layout::of(code).step().to_owned());
    let (field, of) = (coded.field.name, typed(coded));
    match code.parsed().tree.language() {
        Language::Python => {
            format!("@property{end}{indent}def {field}(self){of}:{end}{indent}{step}raise NotImplementedError")
        }
        Language::JavaScript => {
            let close = code.semicolon();
            format!(
                "get {field}() {{{end}{indent}{step}throw new Error(\"a subclass answers this\"){close}{end}{indent}}}"
            )
        }
        _ => format!("{}abstract get {field}(){of}{}", words(coded), code.semicolon()),
    }
}

/// Returns the words that say who may ask for it.
fn words(coded: &Coded<'_>) -> String {
    let word = coded.field.members.iter().find_map(|it| it.node.children().find(|it| it.is("accessibility_modifier")));
    let word = word.map(|it| it.text(coded.code().text())).filter(|it| *it != "public");
    // No subclass sees what is private.
    word.map(|_| "protected ".to_owned()).unwrap_or_default()
}

fn typed(coded: &Coded<'_>) -> String {
    let mark = if coded.is_python() { " -> " } else { ": " };
    coded.typed.map(|it| format!("{mark}{it}")).unwrap_or_default()
}

/// Writes the function that chooses the subclass.
fn factory(coded: &Coded<'_>) -> String {
    let (code, text) = (coded.code(), coded.code().text());
    let (end, indent, step, close) =
        (code.newline(), coded.class().indent(), Layout::of(code).step().to_owned(), code.semicolon());
    let (base, inner) = (format!("{indent}{step}"), format!("{indent}{step}{step}"));
    let name = |at: usize| coded.signature.parameters[at].name.text(text);
    let (mut taken, mut passed, mut is_named) = (Vec::new(), Vec::new(), false);
    for (at, one) in coded.signature.parameters.iter().enumerate() {
        if one.is_named() && !is_named {
            taken.push("*".to_owned());
            is_named = true;
        }
        let start = if coded.is_python() { one.node.start() } else { one.name.start() };
        taken.push(text[start..one.node.end()].to_owned());
        if at != coded.at {
            passed.push(if one.is_named() { format!("{0}={0}", name(at)) } else { name(at).to_owned() });
        }
    }
    let (taken, passed, key, class) = (taken.join(", "), passed.join(", "), name(coded.at), coded.class().name());
    let kinds = &coded.kinds;
    if coded.is_python() {
        let answer = if coded.signature.is_typed() { format!(" -> \"{class}\"") } else { String::new() };
        let listed: Vec<String> = kinds.iter().map(|it| format!("{}: {}", it.code, it.class)).collect();
        return format!(
            "@staticmethod{end}{indent}def {}({taken}){answer}:{end}{base}kinds = {{{}}}{end}{base}return kinds[{key}]({passed})",
            coded.factory,
            listed.join(", ")
        );
    }
    let answer = if code.is_typed_script() { format!(": {class}") } else { String::new() };
    let cases: String = kinds
        .iter()
        .map(|it| format!("{inner}case {}:{end}{inner}{step}return new {}({passed}){close}{end}", it.code, it.class))
        .collect();
    let unknown = unknown(code.family(), key, '`');
    format!(
        "static {}({taken}){answer} {{{end}{base}switch ({key}) {{{end}{cases}{inner}default:{end}{inner}{step}{unknown}{close}{end}{base}}}{end}{indent}}}",
        coded.factory
    )
}

fn subclasses(coded: &Coded<'_>) -> String {
    let code = coded.code();
    let (end, step, close) = (code.newline(), Layout::of(code).step().to_owned(), code.semicolon());
    let (class, field, of) = (coded.class().name(), coded.field.name, typed(coded));
    let two = step.repeat(2);
    let one = |(at, kind): (usize, &Kind)| match coded.is_python() {
        true => format!(
            "class {}({class}):{end}{step}@property{end}{step}def {field}(self){of}:{end}{two}return {}",
            kind.class, kind.code
        ),
        false => {
            // The first one gets its `export` where all of them are put.
            let is_exported = at > 0 && coded.class().statement().is("export_statement");
            let export = if is_exported { "export " } else { "" };
            format!(
                "{export}class {} extends {class} {{{end}{step}{}get {field}(){of} {{{end}{two}return {}{close}{end}{step}}}{end}}}",
                kind.class,
                words(coded),
                kind.code
            )
        }
    };
    let gap = if coded.is_python() { end.repeat(3) } else { end.repeat(2) };
    coded.kinds.iter().enumerate().map(one).collect::<Vec<_>>().join(&gap)
}
