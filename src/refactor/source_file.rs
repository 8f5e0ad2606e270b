//! The file that a refactoring begins in, with what all of them ask of it.

use std::sync::Arc;

use globset::GlobSet;

use crate::plan::{Parts, Plan};
use crate::refactor::Refusal;
use crate::refactor::refusal::each;
use crate::refactor::request::{Request, Target};
use crate::session::{Parsed, Session};
use crate::syntax::python::is_target;
use crate::syntax::target::LineRange;
use crate::syntax::{Family, Language, Node, is_any_function, whole_words};
use crate::text::{AbsPath, Span, Text, TextEdit};

/// One text with its tree.
#[derive(Clone)]
pub(crate) struct Code {
    pub path: AbsPath,
    /// The path as messages show it.
    pub shown: String,
    parsed: Arc<Parsed>,
}

/// Nodes whose children are statements.
const BLOCKS: &[&str] = &["module", "program", "block", "statement_block"];
const CLASSES: &[&str] = &["class_definition", "class_declaration", "abstract_class_declaration", "class"];

impl Code {
    /// Reads the target's file. One that does not parse is refused: what stands in it is not known.
    pub(crate) fn of(session: &Session, request: &Request) -> Result<Self, Refusal> {
        let Target { path, shown, .. } = &request.target;
        let parsed = session.parsed(path)?.expect("a target's language is known by its file");
        Self { path: path.clone(), shown: shown.clone(), parsed }.sound()
    }

    /// Reads another file of the project by the same rule.
    pub(crate) fn read(session: &Session, path: &AbsPath) -> Result<Self, Refusal> {
        Self::known(session, path)?.sound()
    }

    /// Reads another file of the project for what it says of some names. One that does not parse is refused where one of them
    /// stands in what could not be read.
    pub(crate) fn saying(session: &Session, path: &AbsPath, names: &[&str]) -> Result<Self, Refusal> {
        let code = Self::known(session, path)?;
        let says = |node: &Node<'_>| {
            let around = node.parent().unwrap_or(*node).text(code.text());
            // `has-types` is another word than `types`.
            let is_apart = |span: &Span| !around[..span.start].ends_with('-') && !around[span.end..].starts_with('-');
            names.iter().any(|name| whole_words(around, name).iter().any(is_apart))
        };
        let unread = code.root().descendants().find(|node| node.is_error() && says(node)).map(Node::start);
        match unread {
            Some(at) => Err(code.refuse(at, "the file does not parse here")),
            None => Ok(code),
        }
    }

    /// Reads a file that is only looked at, a library's perhaps.
    pub(crate) fn known(session: &Session, path: &AbsPath) -> Result<Self, Refusal> {
        let shown = path.shown_from(session.root());
        let parsed = session.parsed(path)?;
        let parsed = parsed.ok_or_else(|| Refusal::NotPossible(format!("the language of `{shown}` is not known")))?;
        Ok(Self { path: path.clone(), shown, parsed })
    }

    /// Reads the further files of the project that some globs name, of languages that import each other's files.
    pub(crate) fn further(&self, session: &Session, wanted: &GlobSet) -> Result<Vec<Self>, Refusal> {
        let files = session.disk().files();
        let is_wanted = |path: &&AbsPath| {
            let family = Language::of_path(path).map(Language::family);
            let shown = path.relative_to(session.root());
            **path != self.path && family == Some(self.family()) && shown.is_some_and(|it| wanted.is_match(it.as_str()))
        };
        each(files.iter().map(|entry| &entry.path).filter(is_wanted).map(|path| Self::known(session, path)))
    }

    /// Begins a file that is not there yet.
    pub(crate) fn empty(session: &Session, path: &AbsPath) -> Result<Self, Refusal> {
        let shown = path.shown_from(session.root());
        let parsed = session.sources().parse(path, &Arc::new(Text::new("")));
        let parsed = parsed.ok_or_else(|| Refusal::NotPossible(format!("the language of `{shown}` is not known")))?;
        Ok(Self { path: path.clone(), shown, parsed })
    }

    /// Returns the file with another text that is parsed already.
    pub(crate) fn with_parsed(&self, parsed: Arc<Parsed>) -> Self {
        Self { path: self.path.clone(), shown: self.shown.clone(), parsed }
    }

    /// Returns the file with another text.
    pub(crate) fn with_text(&self, session: &Session, text: String) -> Option<Self> {
        Some(self.with_parsed(session.sources().parse(&self.path, &Arc::new(Text::new(text)))?))
    }

    fn sound(self) -> Result<Self, Refusal> {
        let error = self.root().descendants().find(|node| node.is_error()).map(Node::start);
        match error {
            Some(at) => Err(self.refuse(at, "the file does not parse here")),
            None => Ok(self),
        }
    }

    /// Makes one of a bare text.
    #[cfg(test)]
    pub(crate) fn of_text(language: crate::syntax::Language, text: &str) -> Self {
        let tree = crate::syntax::Tree::parse(language, text);
        let path = AbsPath::new("/project/file").expect("a path from the root");
        Self {
            path,
            shown: "file".to_owned(),
            parsed: Arc::new(Parsed::new(Arc::new(crate::text::Text::new(text)), tree)),
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.parsed.text.as_str()
    }

    pub(crate) fn parsed(&self) -> &Parsed {
        &self.parsed
    }

    pub(crate) fn family(&self) -> Family {
        self.parsed.tree.language().family()
    }

    /// Tells whether the file is none of the project's: it is shown by its whole path.
    pub(crate) fn is_outside(&self) -> bool {
        self.shown == self.path.as_str()
    }

    /// Tells whether the file is TypeScript.
    pub(crate) fn is_typed_script(&self) -> bool {
        self.parsed.tree.language().is_typed_script()
    }

    /// Returns where a script hands out what it declares without `export` (CommonJS): `module.exports = …`, `exports.a = …`.
    pub(crate) fn hands_out(&self) -> Option<Node<'_>> {
        let is_it = |one: &Node<'_>| {
            let text = one.text(self.text());
            one.is("expression_statement") && (text.starts_with("module.exports") || text.starts_with("exports."))
        };
        self.root().named_children().find(is_it)
    }

    pub(crate) fn root(&self) -> Node<'_> {
        self.parsed.tree.nodes().root()
    }

    /// Returns the smallest node that spans `span`.
    pub(crate) fn covering(&self, span: Span) -> Node<'_> {
        self.parsed.tree.nodes().covering(span)
    }

    /// Refuses for a reason that has a place.
    pub(crate) fn refuse(&self, offset: usize, reason: impl std::fmt::Display) -> Refusal {
        Refusal::Stands { place: self.place(offset), reason: reason.to_string() }
    }

    /// Names the line of an offset: `src/order.py:12`.
    pub(crate) fn place(&self, offset: usize) -> String {
        format!("{}:{}", self.shown, self.line(offset))
    }

    /// Returns the line of an offset, counted from 1.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.parsed.text.position(offset).map_or(0, |position| position.line + 1)
    }

    /// Makes the plan that edits this file alone.
    pub(crate) fn plan(&self, edits: Vec<TextEdit>) -> Result<Plan, Refusal> {
        let mut parts = Parts::default();
        parts.edits.insert(self.path.clone(), (Arc::clone(&self.parsed.text), edits));
        Ok(Plan::new(parts)?)
    }

    /// Returns what the target stands for: the declaration that was named, or the whole file.
    pub(crate) fn declared(&self, target: &Target) -> Node<'_> {
        let Some(name) = target.name else { return self.root() };
        let named = self.covering(name);
        named.parent().filter(|_| named.span() == name).unwrap_or(named)
    }

    /// Returns the stretch that the target stands for: its lines, its declaration, or the whole file.
    pub(crate) fn extent(&self, target: &Target) -> Span {
        match target.lines {
            Some(lines) => self.lines(lines),
            None => self.carried_out(self.declared(target)).span(),
        }
    }

    /// Returns what carries a function out whose overloads are declared first; anything else as it is.
    fn carried_out<'c>(&'c self, declared: Node<'c>) -> Node<'c> {
        let outer = declared.parent().filter(|outer| outer.is_any(&["decorated_definition", "export_statement"]));
        let statement = outer.unwrap_or(declared);
        if !declares_overload(self, statement) {
            return declared;
        }
        let name = |node: Node<'c>| node.child("name").map(|name| name.text(self.text()));
        let siblings = statement.parent().into_iter().flat_map(Node::named_children);
        let behind = siblings.skip_while(|it| *it != statement).filter(|it| !it.kind().ends_with("comment"));
        let mut own = behind.take_while(|it| name(inner(*it)) == name(declared));
        own.find(|it| !declares_overload(self, *it)).map_or(declared, inner)
    }

    /// Returns whole lines, counted from 1, without the end of the last one.
    pub(crate) fn lines(&self, (first, last): LineRange) -> Span {
        let index = self.parsed.text.lines();
        let start = index.line(self.text(), first - 1).map_or(self.text().len(), |line| line.start);
        let end = index.line(self.text(), last - 1).map_or(self.text().len(), |line| line.end);
        let text = &self.text()[start..end];
        Span::new(start, start + text.trim_end_matches(['\n', '\r']).len())
    }

    /// Returns whole lines without the white space around what stands in them.
    pub(crate) fn words(&self, lines: LineRange) -> Span {
        let span = self.lines(lines);
        let text = span.of(self.text()).unwrap_or_default();
        let start = span.start + text.len() - text.trim_start().len();
        Span::new(start, start + text.trim().len())
    }

    /// Returns where the line of an offset begins.
    pub(crate) fn line_start(&self, offset: usize) -> usize {
        self.text()[..offset].rfind('\n').map_or(0, |end| end + 1)
    }

    /// Returns where the line of an offset ends, before what breaks it.
    pub(crate) fn line_end(&self, offset: usize) -> usize {
        offset + self.text()[offset..].find(['\r', '\n']).unwrap_or(self.text().len() - offset)
    }

    /// Returns where the line behind an offset's begins, or where the text ends.
    pub(crate) fn next_line(&self, offset: usize) -> usize {
        self.text()[offset..].find('\n').map_or(self.text().len(), |end| offset + end + 1)
    }

    /// Returns where the white space behind an offset ends.
    pub(crate) fn next_word(&self, offset: usize) -> usize {
        let rest = &self.text()[offset..];
        offset + rest.len() - rest.trim_start().len()
    }

    /// Returns the white space that the line of an offset begins with.
    pub(crate) fn indent(&self, offset: usize) -> &str {
        let line = &self.text()[self.line_start(offset)..];
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        &line[..width]
    }

    /// Tells whether nothing evaluates the annotations of a module of Python while it is loaded (PEP 563).
    pub(crate) fn postpones_annotations(&self) -> bool {
        self.text().contains("from __future__ import annotations")
    }

    /// Returns what the text ends its lines with.
    pub(crate) fn newline(&self) -> &'static str {
        if self.text().contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Returns the word by which a script declares what has one value: `var` where it says nothing else.
    pub(crate) fn constant_word(&self) -> &'static str {
        let has = |kind: &str| self.root().descendants().any(|it| it.is(kind));
        if has("variable_declaration") && !has("lexical_declaration") { "var" } else { "const" }
    }

    /// Returns what a script ends its statements with: `;`, or nothing where more of them do without.
    pub(crate) fn semicolon(&self) -> &'static str {
        const ENDED: &[&str] = &[
            "expression_statement",
            "import_statement",
            "lexical_declaration",
            "return_statement",
            "type_alias_declaration",
            "variable_declaration",
        ];
        let statements = self.root().descendants().filter(|node| node.is_any(ENDED));
        let (mut with, mut without) = (0, 0);
        for statement in statements {
            let is_ended = statement.text(self.text()).ends_with(';');
            *(if is_ended { &mut with } else { &mut without }) += 1;
        }
        if without > with { "" } else { ";" }
    }

    /// Returns the first of some names of the language that stands below a node, where it is no member of anything.
    pub(crate) fn looks_around<'n>(&self, below: Node<'_>, names: &[&'n str]) -> Option<&'n str> {
        let is_own = |span: &Span| {
            let node = self.covering(*span);
            let is_label = node.is("identifier") && !matches!(node.field(), Some("attribute" | "name"));
            is_label && below.span().contains(*span) && self.means_itself(node)
        };
        let stands = |name: &&&str| self.parsed.tree.identifiers_named(self.text(), name).iter().any(is_own);
        names.iter().find(stands).copied()
    }

    /// Tells whether an identifier that is a word of one of the languages means that here: not where it is one of the other
    /// (`arguments`, `vars`), nor where a function of Python around calls something of its own so.
    pub(crate) fn means_itself(&self, node: Node<'_>) -> bool {
        const OF_PYTHON: &[&str] = &["_getframe", "currentframe", "exec", "globals", "locals", "stacklevel", "vars"];
        const OF_SCRIPTS: &[&str] = &["arguments"];
        let name = node.text(self.text());
        if self.family() != Family::Python {
            return !OF_PYTHON.contains(&name);
        }
        let is_taken = |one: Node<'_>| {
            let list = one.ancestors().take(3).find(|it| it.is_any(&["parameters", "lambda_parameters"]));
            list.is_some() && one.field() != Some("value")
        };
        let is_bound = |function: Node<'_>| {
            let spans = self.parsed.tree.identifiers_named(self.text(), name).into_iter();
            let mut inside = spans.filter(|span| function.span().contains(*span)).map(|span| self.covering(span));
            inside.any(|one| is_target(one) || is_taken(one))
        };
        !OF_SCRIPTS.contains(&name) && !node.ancestors().any(|it| is_any_function(it) && is_bound(it))
    }

    /// Tells whether a name stands as a name anywhere below a node.
    pub(crate) fn mentions(&self, below: Node<'_>, name: &str) -> bool {
        let spans = self.parsed.tree.identifiers_named(self.text(), name);
        spans.into_iter().any(|span| below.span().contains(span))
    }
}

/// Tells whether a node's children are statements.
pub(crate) fn is_block(node: Node<'_>) -> bool {
    node.is_any(BLOCKS)
}

/// Tells whether a node is a class.
pub(crate) fn is_class(node: Node<'_>) -> bool {
    node.is_any(CLASSES) && !node.is_leaf()
}

/// Tells whether what stands in a node of a script has another `this` than what stands around it.
pub(crate) fn has_own_object(node: Node<'_>) -> bool {
    is_class(node) || is_any_function(node) && !node.is("arrow_function")
}

/// Returns what has the `this` that is meant at a node of a script.
pub(crate) fn object_of(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|it| has_own_object(*it))
}

/// Returns the statement that a node belongs to, itself included; nothing where it stands in no block.
pub(crate) fn statement_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut chain = std::iter::once(node).chain(node.ancestors());
    chain.find(|node| node.parent().is_some_and(is_block))
}

/// The statements by which a script declares variables.
pub(crate) const VARIABLES: &[&str] = &["lexical_declaration", "variable_declaration"];

/// The statements that evaluate an expression and may give it a name: assignments of Python are expressions.
pub(crate) const EVALUATING: &[&str] = &["expression_statement", "lexical_declaration", "variable_declaration"];

/// Tells whether a statement is a string and nothing more: a directive of a script, a docstring.
pub(crate) fn is_lone_string(statement: Node<'_>) -> bool {
    statement.is("expression_statement") && statement.named_children().all(|it| it.is("string"))
}

/// Tells whether what a place binds stands in no function, the name of one that does not apart.
pub(crate) fn is_module_level(code: &Code, binding: Span) -> bool {
    let function = function_of(code.covering(binding));
    function.is_none_or(|it| it.child("name").is_some_and(|own| own.span() == binding))
}

/// Returns the function around a node, or nothing at module level.
pub(crate) fn function_of(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors().find(|outer| is_any_function(*outer))
}

/// Returns the function that begins at an offset or that the offset lies in.
pub(crate) fn function_around(code: &Code, offset: usize) -> Option<Node<'_>> {
    let here = code.covering(Span::new(offset, (offset + 1).min(code.text().len())));
    Some(here).filter(|node| is_any_function(*node)).or_else(|| function_of(here))
}

/// Returns a function with its decorators.
pub(crate) fn definition(function: Node<'_>) -> Node<'_> {
    function.parent().filter(|outer| outer.is("decorated_definition")).unwrap_or(function)
}

/// Returns the function that the target names, or that it lies in.
pub(crate) fn function_at<'c>(code: &'c Code, target: &Target) -> Result<Node<'c>, Refusal> {
    let declared = code.carried_out(code.declared(target));
    let value = declared.child("value").filter(|value| is_any_function(*value));
    let named = value.or(Some(declared)).filter(|node| target.name.is_some() && is_any_function(*node));
    let around = || {
        let offset = target.offset.or_else(|| target.lines.map(|lines| code.words(lines).start))?;
        target.offset.and_then(|offset| named_by(code, offset)).or_else(|| function_around(code, offset))
    };
    named
        .or_else(around)
        .ok_or_else(|| Refusal::NotPossible(format!("the target names no function of `{}`", code.shown)))
}

/// Returns the function that a variable is given where its name stands at an offset: `const rate = () => 1`.
fn named_by(code: &Code, offset: usize) -> Option<Node<'_>> {
    let name = code.covering(code.parsed().tree.identifier_at(code.text(), offset)?);
    let holder = name.parent().filter(|it| it.is("variable_declarator") && it.child("name") == Some(name))?;
    holder.child("value").filter(|value| is_any_function(*value))
}

/// Returns the lines that are to become a function; where the target names a function and no lines, they are asked for.
pub(crate) fn wanted_lines(code: &Code, request: &Request) -> Result<LineRange, Refusal> {
    let reason = "name the lines: `path#L10-L15`, or an `expression`".to_owned();
    request.target.lines.ok_or_else(|| match function_at(code, &request.target) {
        Ok(_) => Refusal::Missing { param: "expression", reason },
        Err(_) => Refusal::NotPossible(reason),
    })
}

/// Returns the statements of one block that some lines hold, comments between them included.
pub(crate) fn selected<'c>(code: &'c Code, lines: LineRange) -> Result<Vec<Node<'c>>, Refusal> {
    let span = code.words(lines);
    let inner = without_comments(code, span);
    let here = code.covering(inner);
    let holds = |node: &Node<'_>| is_block(*node) || node.is_any(&["switch_case", "switch_default"]);
    let block = std::iter::once(here).chain(here.ancestors()).find(holds).unwrap_or(here);
    let touched = block.children().filter(|child| child.is_named() && child.span().overlaps(inner));
    // In Python the comments that a block begins or ends with stand outside of it.
    let comments = || code.root().descendants().filter(|node| node.is("comment") && span.contains(node.span()));
    let above = comments().filter(|node| node.end() <= inner.start);
    let below =
        comments().filter(|node| node.start() >= inner.end && code.indent(node.start()) == code.indent(inner.start));
    let statements: Vec<Node<'_>> = above.chain(touched).chain(below).collect();
    if let Some(cut) = statements.iter().find(|child| !span.contains(child.span())) {
        return Err(code.refuse(cut.start(), "the lines cut the statement in two that begins here"));
    }
    if statements.iter().all(|child| child.kind().ends_with("comment")) {
        return Err(code.refuse(span.start, "the lines hold no statement"));
    }
    Ok(statements)
}

/// Returns a stretch without the comments that it begins and ends with.
fn without_comments(code: &Code, span: Span) -> Span {
    let comments: Vec<Span> = code
        .root()
        .descendants()
        .filter(|node| node.is("comment") && span.contains(node.span()))
        .map(Node::span)
        .collect();
    let (mut start, mut end) = (span.start, span.end);
    for comment in &comments {
        if comment.start == start {
            start = code.next_word(comment.end).min(end);
        }
    }
    for comment in comments.iter().rev() {
        if comment.end == end && comment.start > start {
            end = start + code.text()[start..comment.start].trim_end().len();
        }
    }
    if start < end { Span::new(start, end) } else { span }
}

/// Writes the type parameters of a script's declaration as the arguments that hand them on: `<A, B>`; nothing without any.
pub(crate) fn type_arguments(declaration: Node<'_>, text: &str) -> String {
    let listed = declaration.child("type_parameters").into_iter().flat_map(Node::named_children);
    let names: Vec<&str> = listed.filter_map(|one| one.child("name")).map(|name| name.text(text)).collect();
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}

/// Returns the start of the lines above the outermost definition around a function, its comments and overloads included.
pub(crate) fn above(code: &Code, function: Node<'_>) -> usize {
    let chain = std::iter::once(function).chain(function.ancestors());
    let outermost = chain.take_while(|node| node.parent().is_some()).last().unwrap_or(function);
    let before: Vec<Node<'_>> = code.root().children().take_while(|node| *node != outermost).collect();
    let others = before.iter().rev().filter(|node| !node.is("comment"));
    let first = others.take_while(|node| is_overload(code, **node, outermost)).last().copied().unwrap_or(outermost);
    let mut at = code.line_start(first.start());
    for node in before.into_iter().rev().skip_while(|node| node.start() >= first.start()) {
        let is_attached =
            node.is("comment") && code.next_line(node.end()) == at && code.line_start(node.start()) == node.start();
        if !is_attached {
            break;
        }
        at = node.start();
    }
    at
}

/// Tells whether a statement declares an overload of the function that another one carries out.
fn is_overload(code: &Code, statement: Node<'_>, carried_out: Node<'_>) -> bool {
    let name = |node: Node<'_>| inner(node).child("name").map(|name| name.text(code.text()).to_owned());
    declares_overload(code, statement) && name(statement).is_some() && name(statement) == name(carried_out)
}

/// Tells whether a statement declares a function that a later one of the name carries out.
fn declares_overload(code: &Code, statement: Node<'_>) -> bool {
    let is_marked = statement.children().any(|it| it.is("decorator") && it.text(code.text()).ends_with("overload"));
    is_marked || inner(statement).is_any(&["function_signature", "method_signature"])
}

/// Returns a declaration without `export` and without decorators.
pub(crate) fn inner(statement: Node<'_>) -> Node<'_> {
    let inside = statement.child("declaration").or_else(|| statement.child("definition"));
    inside.filter(|_| statement.is_any(&["export_statement", "decorated_definition"])).unwrap_or(statement)
}

/// Makes all white space one blank, so that line breaks do not matter.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
