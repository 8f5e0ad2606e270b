//! What servers know of the types of names.

use crate::lsp::{Feature, Place};
use crate::refactor::Refusal;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::{Code, function_of, is_class, squeezed};
use crate::session::{Session, SessionError};
use crate::syntax::{Family, Language, Node, Tree, scopes};

/// Types that no program has to declare.
const KNOWN: &[&str] = &[
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "ArrayBufferLike",
    "ArrayBufferView",
    "ArrayLike",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterableIterator",
    "AsyncIterator",
    "Awaited",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "Capitalize",
    "ConstructorParameters",
    "DataView",
    "Date",
    "Error",
    "EvalError",
    "Exclude",
    "Extract",
    "FinalizationRegistry",
    "Float32Array",
    "Float64Array",
    "Function",
    "Generator",
    "InstanceType",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "Iterable",
    "IterableIterator",
    "Iterator",
    "JSON",
    "Lowercase",
    "Map",
    "Math",
    "NoInfer",
    "NonNullable",
    "Number",
    "Object",
    "Omit",
    "OmitThisParameter",
    "Parameters",
    "Partial",
    "Pick",
    "Promise",
    "PromiseLike",
    "PropertyKey",
    "RangeError",
    "Readonly",
    "ReadonlyArray",
    "ReadonlyMap",
    "ReadonlySet",
    "Record",
    "ReferenceError",
    "RegExp",
    "RegExpExecArray",
    "RegExpMatchArray",
    "Required",
    "ReturnType",
    "Set",
    "SharedArrayBuffer",
    "String",
    "Symbol",
    "SyntaxError",
    "TemplateStringsArray",
    "ThisParameterType",
    "TypeError",
    "URIError",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "Uncapitalize",
    "Uppercase",
    "WeakKey",
    "WeakMap",
    "WeakRef",
    "WeakSet",
];

/// Returns what stands behind a parameter's name so that it has the type of a name: `: Type`, or nothing where the
/// language or the program does without.
pub(crate) async fn annotation(
    session: &Session,
    code: &Code,
    names: &ScopedNames<'_>,
    name: Node<'_>,
) -> Result<String, Refusal> {
    annotation_among(session, (code, names), name, &[]).await
}

/// As [`annotation`], where some type parameters are known, too.
pub(crate) async fn annotation_among(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    name: Node<'_>,
    parameters: &[&str],
) -> Result<String, Refusal> {
    let declared = names.at(name).and_then(|it| names.writes(it.meaning).next()).map(|it| code.covering(it.span));
    let written = declared.and_then(Node::parent).filter(|it| declares(*it)).and_then(|it| it.child("type"));
    match (code.family(), code.parsed().tree.language()) {
        (Family::Python, _) => Ok(written.map(|it| format!(": {}", it.text(code.text()))).unwrap_or_default()),
        (_, Language::JavaScript) => Ok(String::new()),
        _ => {
            let known = said(session, code, name).await?;
            // Of what has the type of a parameter a server says what that extends, too.
            let bare = known.split_once(" extends ").map(|(parameter, _)| parameter);
            let known = bare.filter(|it| parameters.contains(it)).unwrap_or(&known);
            if !is_writable_among(code, names, known, parameters) {
                return Err(code.refuse(name.start(), format!("its type, `{known}`, cannot be written there")));
            }
            Ok(format!(": {}", quoted_so(code, known)))
        }
    }
}

/// Writes the texts in a type as the script quotes its own.
fn quoted_so(code: &Code, known: &str) -> String {
    let strings = code.root().descendants().filter(|node| node.is("string"));
    let (single, double): (Vec<Node<'_>>, Vec<Node<'_>>) =
        strings.partition(|node| node.text(code.text()).starts_with('\''));
    match single.len() > double.len() && !known.contains('\'') {
        true => known.replace('"', "'"),
        false => known.to_owned(),
    }
}

/// Writes the type annotation of an optional parameter as that of a variable, which always has a value.
pub(crate) fn or_undefined(annotation: Node<'_>, text: &str) -> String {
    let of = annotation.named_children().next().unwrap_or(annotation);
    let said = of.text(text);
    match of.is_any(&["function_type", "constructor_type", "conditional_type"]) {
        true => format!(": ({said}) | undefined"),
        false => format!(": {said} | undefined"),
    }
}

/// Tells whether a node is the parameter that a name belongs to.
fn declares(node: Node<'_>) -> bool {
    node.is_any(&["typed_parameter", "typed_default_parameter"])
}

/// Asks the server for the type of a variable or a field.
pub(crate) async fn known(session: &Session, code: &Code, name: Node<'_>) -> Result<String, Refusal> {
    let known = said(session, code, name).await?;
    if known == "any" { Err(unknown(code, name)) } else { Ok(known) }
}

fn unknown(code: &Code, name: Node<'_>) -> Refusal {
    code.refuse(name.start(), format!("the type of `{}` is not known", name.text(code.text())))
}

/// Asks for a type that may be `any`.
async fn said(session: &Session, code: &Code, name: Node<'_>) -> Result<String, Refusal> {
    shown_type(&shown(session, code, name).await?, name.text(code.text())).ok_or_else(|| unknown(code, name))
}

/// Asks what the server shows for a name.
async fn shown(session: &Session, code: &Code, name: Node<'_>) -> Result<String, Refusal> {
    let server = session.server(code.parsed().tree.language(), Feature::References).await?;
    session.cover(&server, std::slice::from_ref(&code.path)).await?;
    let place = Place { path: code.path.clone(), offset: name.start() };
    let _turn = session.shared().await;
    server.hover(&place).await.map_err(SessionError::from)?.ok_or_else(|| unknown(code, name))
}

/// Writes a type, of which servers write one member a line, on one line as Prettier does: nothing ends its last member.
pub(crate) fn on_one_line(said: &str) -> String {
    squeezed(said).replace("; }", " }")
}

/// Reads the type of a name off what a server shows for it; nothing where that is not all of it.
pub(crate) fn shown_type(shown: &str, name: &str) -> Option<String> {
    let (_, behind) = shown.split_once(&format!("{name}: "))?;
    let found = behind.split("\n```").next().unwrap_or_default();
    let found = on_one_line(found);
    let is_whole = !found.contains("...") && !found.contains("import(") && found != "Unknown";
    is_whole.then_some(found)
}

/// Returns what a function of TypeScript returns, as the server knows it and the file can write it, where some type parameters
/// are known; nothing where it cannot.
pub(crate) async fn result(
    session: &Session,
    (code, names): (&Code, &ScopedNames<'_>),
    name: Node<'_>,
    parameters: &[&str],
) -> Result<Option<String>, Refusal> {
    let result = shown_result(&shown(session, code, name).await?, name.text(code.text()));
    let written = result.filter(|it| is_writable_among(code, names, it, parameters));
    Ok(written.map(|it| quoted_so(code, &it)))
}

/// Reads what a function returns off what a server shows for it; nothing where that is not all of it.
pub(crate) fn shown_result(shown: &str, name: &str) -> Option<String> {
    let said = behind_parameters(shown, name)?.strip_prefix(": ")?.split("\n```").next()?;
    let said = on_one_line(said);
    (!said.contains("...") && !said.contains("import(")).then_some(said)
}

/// Returns what stands behind the list of parameters of a function, as servers show it.
fn behind_parameters<'s>(shown: &'s str, name: &str) -> Option<&'s str> {
    let places = crate::syntax::whole_words(shown, name);
    let behind = places.into_iter().map(|place| &shown[place.end..]).find(|it| it.starts_with(['(', '<']))?;
    let mut depth = 0_i32;
    let mut before = ' ';
    for (at, sign) in behind.char_indices() {
        match sign {
            '(' | '<' | '[' | '{' => depth += 1,
            '>' if before == '=' => {}
            ')' | '>' | ']' | '}' => depth -= 1,
            _ => {}
        }
        before = sign;
        if depth == 0 && sign == ')' {
            return Some(&behind[at + 1..]);
        }
    }
    None
}

/// Returns what the server knows of the type of a name in Python, where it can be written without an import.
pub(crate) async fn built_in(session: &Session, code: &Code, name: Node<'_>) -> Option<String> {
    const BUILT_IN: &[&str] =
        &["int", "str", "float", "bool", "bytes", "complex", "list", "dict", "set", "tuple", "None"];
    let known = known(session, code, name).await.ok()?;
    let mut words = known.split(['[', ']', ',', '|', ' ']).filter(|word| !word.is_empty());
    words.all(|word| BUILT_IN.contains(&word)).then_some(known)
}

/// Returns what the server knows of the type of a name in Python, written as the file can: of what is built in, and what
/// the module knows by name.
pub(crate) async fn annotated(
    session: &Session,
    code: &Code,
    names: &ScopedNames<'_>,
    name: Node<'_>,
) -> Option<String> {
    written(code, names, &known(session, code, name).await.ok()?)
}

/// Tells whether a function of Python says of any type that it takes or returns.
pub(crate) fn is_typed(function: Node<'_>) -> bool {
    let listed = function.child("parameters").into_iter().flat_map(Node::named_children);
    function.child("return_type").is_some() || listed.into_iter().any(declares)
}

/// Writes a type of Python as the file can; nothing where it would take an import.
pub(crate) fn written(code: &Code, names: &ScopedNames<'_>, known: &str) -> Option<String> {
    spelled(code, names, known).filter(|(_, unseen)| unseen.is_empty()).map(|(said, _)| said)
}

/// Writes a type of Python as the file can, and returns the names in it that the module does not know.
pub(super) fn spelled(code: &Code, names: &ScopedNames<'_>, known: &str) -> Option<(String, Vec<String>)> {
    const BUILT_IN: &[&str] = &["int", "str", "float", "bool", "bytes", "complex", "None", "object"];
    const GENERIC: &[(&str, &str)] =
        &[("list", "List"), ("dict", "Dict"), ("set", "Set"), ("tuple", "Tuple"), ("type", "Type")];
    let mut known = known.to_owned();
    let is_top = |text: &str| {
        let mut bound = names.named(text).filter(|it| it.is_binding);
        bound.any(|it| {
            let node = code.covering(it.span);
            let own = node.parent().filter(|outer| is_class(*outer) && node.field() == Some("name"));
            own.unwrap_or(node).ancestors().all(|outer| !is_class(outer) && !crate::syntax::is_any_function(outer))
        })
    };
    if !is_top("Literal") {
        known = each_once(&without_literals(&known));
    }
    let is_modern = code.postpones_annotations();
    // What a string says nobody evaluates, and may be newer than what the file is run by.
    let types = || code.root().descendants().filter(|it| it.is("type")).map(|it| it.text(code.text()));
    let says = |sign: &str| types().any(|it| it.contains(sign) && !it.contains(['"', '\'']));
    if is_top("Optional") {
        known = with_optional(&known);
    }
    for (modern, old) in GENERIC {
        if is_top(old) && (!is_modern || says(&format!("{old}["))) {
            known = known.replace(&format!("{modern}["), &format!("{old}["));
        }
    }
    for of_re in ["Match", "Pattern"] {
        if !is_top(of_re) && is_top("re") && known.contains(&format!("{of_re}[")) && !known.contains('.') {
            known = known.replace(&format!("{of_re}["), &format!("re.{of_re}["));
        }
    }
    let writes_so = |sign: &str| is_modern || says(sign);
    // All built-in classes take types since the same version.
    let subscripts = || is_modern || says(" | ") || GENERIC.iter().any(|(modern, _)| says_word(types(), modern));
    let is_open = known.contains("Unknown") || known.contains('"') || known.contains('\'') || known.contains('*');
    if is_open || known.contains(" | ") && !writes_so(" | ") {
        return None;
    }
    let words = known.split(['[', ']', ',', '|', ' ']).filter(|word| !word.is_empty());
    let is_said = |word: &str| {
        let word = word.split('.').next().unwrap_or_default();
        let is_generic = GENERIC.iter().any(|(modern, _)| *modern == word);
        BUILT_IN.contains(&word) || is_top(word) || is_generic && (!known.contains(&format!("{word}[")) || subscripts())
    };
    let unseen = words.filter(|word| !is_said(word)).map(str::to_owned).collect();
    Some((known, unseen))
}

/// Writes the classes of values in the place of the values: `str` for `Literal['a', 'b']`.
fn without_literals(known: &str) -> String {
    const HEAD: &str = "Literal[";
    let Some(start) = known.find(HEAD) else { return known.to_owned() };
    let (mut quote, mut end) = (None, None);
    let mut classes: Vec<&str> = Vec::new();
    let mut begins = true;
    for (at, sign) in known[start + HEAD.len()..].char_indices() {
        if begins && sign == ' ' {
            continue;
        }
        let class = match sign {
            '\'' | '"' if begins => "str",
            'b' if begins => "bytes",
            'T' | 'F' if begins => "bool",
            '-' | '0'..='9' if begins => "int",
            _ => "",
        };
        if begins && class.is_empty() {
            return known.to_owned();
        }
        if begins && !classes.contains(&class) {
            classes.push(class);
        }
        begins = quote.is_none() && sign == ',';
        match (quote, sign) {
            (None, '\'' | '"') => quote = Some(sign),
            (Some(open), _) if open == sign => quote = None,
            (None, ']') => {
                end = Some(start + HEAD.len() + at + 1);
                break;
            }
            _ => {}
        }
    }
    match end {
        Some(end) => without_literals(&format!("{}{}{}", &known[..start], classes.join(" | "), &known[end..])),
        None => known.to_owned(),
    }
}

/// Tells whether one of some types, none of which is a string, gives a class its own: `list[int]`.
fn says_word<'t>(mut types: impl Iterator<Item = &'t str>, class: &str) -> bool {
    let is_it = |text: &str| {
        let places = crate::syntax::whole_words(text, class);
        places.into_iter().any(|place| text[place.end..].starts_with('['))
    };
    types.any(|text| !text.contains(['"', '\'']) && is_it(text))
}

/// Writes `int | None` as `Optional[int]`, in brackets, too.
fn with_optional(known: &str) -> String {
    unions(known, &|members| match members {
        [only, none] if none == "None" => format!("Optional[{only}]"),
        members => members.join(" | "),
    })
}

/// Writes each member of a union once, in brackets, too: of values nothing but their class may be left.
fn each_once(known: &str) -> String {
    unions(known, &|members| {
        let mut once: Vec<&str> = Vec::new();
        for member in members {
            if !once.contains(&member.as_str()) {
                once.push(member);
            }
        }
        once.join(" | ")
    })
}

/// Writes the unions of a type anew, the inner ones first.
fn unions(known: &str, anew: &dyn Fn(&[String]) -> String) -> String {
    let member = |member: &str| match member.split_once('[').zip(member.strip_suffix(']')) {
        Some(((head, _), open)) => {
            let of = split_outside(&open[head.len() + 1..], ',').into_iter().map(|one| unions(one, anew));
            format!("{head}[{}]", of.collect::<Vec<_>>().join(", "))
        }
        None => member.to_owned(),
    };
    anew(&split_outside(known, '|').into_iter().map(member).collect::<Vec<_>>())
}

/// Takes a type apart at a sign, what stands in brackets left whole.
pub(crate) fn split_outside(known: &str, sign: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, one) in known.char_indices() {
        match one {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ if one == sign && depth == 0 => {
                parts.push(known[start..at].trim());
                start = at + one.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(known[start..].trim());
    parts
}

/// Tells whether the module of a script knows all names in a type.
pub(crate) fn is_writable(code: &Code, names: &ScopedNames<'_>, known: &str) -> bool {
    is_writable_among(code, names, known, &[])
}

/// As [`is_writable`], where some type parameters are known, too.
pub(crate) fn is_writable_among(code: &Code, names: &ScopedNames<'_>, known: &str, parameters: &[&str]) -> bool {
    let text = format!("let it: {known};");
    let tree = Tree::parse(Language::TypeScript, &text);
    if tree.error_count() > 0 {
        return false;
    }
    let free = scopes::names(&tree, &text).into_iter().filter(|it| it.is_free);
    let used = free.filter_map(|it| it.span.of(&text));
    let used: Vec<&str> = used.filter(|it| !KNOWN.contains(it) && !parameters.contains(it)).collect();
    let is_seen = |used: &&str| {
        let mut own = names.within(code.root().span()).filter(|it| it.span.of(code.text()) == Some(used));
        own.any(|it| {
            // What the file names without declaring it is known everywhere.
            if !it.is_binding {
                return it.is_free;
            }
            let node = code.covering(it.span);
            let class = node.ancestors().find(|outer| is_class(*outer));
            let is_name_of_class = class.and_then(|class| class.child("name")) == Some(node);
            function_of(node).is_none() && (class.is_none() || is_name_of_class)
        })
    };
    used.iter().all(is_seen)
}
