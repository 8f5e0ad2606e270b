//! A caller, as it catches the exception.

use super::caller::{Expecting, Form, Site, Ways};
use super::raised::Raised;
use super::special::Answers;
use crate::refactor::Refusal;
use crate::refactor::analysis::indentation::Layout;
use crate::refactor::analysis::inferred_types::is_writable;
use crate::refactor::scopes::ScopedNames;
use crate::refactor::source_file::VARIABLES;
use crate::session::Session;
use crate::syntax::{Family, Node};
use crate::text::{Span, TextEdit};

/// A caller that is written anew.
struct Writing<'a, 'c> {
    site: &'a Site<'c>,
    raised: &'a Raised<'a>,
    layout: Layout<'c>,
    indent: &'c str,
    base: String,
}

/// Returns the edits of one caller.
pub(super) async fn changed(
    _session: &Session,
    (answers, raised): (&Answers<'_>, &Raised<'_>),
    site: &Site<'_>,
) -> Result<Vec<TextEdit>, Refusal> {
    let code = site.code;
    let indent = crate::refactor::analysis::blocks::indent(code, site.first)?;
    let layout = Layout::of(code);
    let base = format!("{indent}{}", layout.step());
    let writing = Writing { site, raised, layout, indent, base };
    if let Form::Expected(expecting) = &site.form {
        return Ok(vec![writing.expecting(*expecting)]);
    }
    writing.check()?;
    let text = match code.family() {
        Family::Python => writing.in_python(),
        _ => writing.in_script(answers),
    };
    Ok(vec![TextEdit::new(Span::new(site.first.start(), site.last.end()), text)])
}

impl<'c> Writing<'_, 'c> {
    fn text(&self, node: Node<'_>) -> &'c str {
        let text = self.site.code.text();
        &text[node.start()..node.end()]
    }

    /// Refuses comments that would have no place any more.
    fn check(&self) -> Result<(), Refusal> {
        let Site { code, first, last, .. } = self.site;
        let stretch = Span::new(first.start(), last.end());
        let is_kept = |it: &Node<'_>| {
            self.ways().is_some_and(|ways| {
                [ways.failed, ways.done].iter().flatten().any(|way| self.held(*way).contains(it.span()))
            })
        };
        let mut comments = code.root().descendants().filter(|it| it.kind().ends_with("comment"));
        let lost = comments.find(|it| stretch.contains(it.span()) && !is_kept(it) && !first.holds(*it));
        match lost {
            Some(comment) => Err(code.refuse(comment.start(), "the comment would be lost")),
            None => Ok(()),
        }
    }

    fn ways(&self) -> Option<&Ways<'c>> {
        match &self.site.form {
            Form::Asked { ways, .. } | Form::Tested { ways } => Some(ways),
            _ => None,
        }
    }

    /// Returns the statements of a block with the comments around them.
    fn held(&self, block: Node<'c>) -> Span {
        let code = self.site.code;
        if code.family() != Family::Python {
            let inside = Span::new(block.start() + 1, block.end() - 1);
            let text = inside.of(code.text()).unwrap_or_default();
            let start = inside.start + text.len() - text.trim_start().len();
            return Span::new(start, start + text.trim().len());
        }
        let above = block.parent().into_iter().flat_map(Node::children);
        let comment = above
            .filter(|it| it.is("comment") && it.end() <= block.start())
            .find(|it| code.text()[code.line_start(it.start())..it.start()].trim().is_empty());
        Span::new(comment.map_or(block.start(), Node::start), block.end())
    }

    fn moved(&self, block: Node<'c>, base: &str) -> String {
        self.layout.moved(self.held(block), base)
    }

    /// Returns the statement that is tried.
    fn tried(&self) -> String {
        let Site { call, first, form, .. } = self.site;
        let semicolon = if self.site.code.family() == Family::Python { "" } else { self.site.code.semicolon() };
        match form {
            Form::Tested { .. } => format!("{}{semicolon}", self.layout.moved(call.span(), &self.base)),
            Form::Asked { target, .. } | Form::Kept { target } if first.is_any(VARIABLES) => {
                format!("{} = {}{semicolon}", self.text(*target), self.layout.moved(call.span(), &self.base))
            }
            _ => self.layout.moved(first.span(), &self.base),
        }
    }

    /// Returns what is done where the exception comes; nothing where nothing is.
    fn handled(&self, base: &str) -> Option<String> {
        let semicolon = if self.site.code.family() == Family::Python { "" } else { self.site.code.semicolon() };
        let code = self.raised.code;
        match &self.site.form {
            Form::Returned => Some(format!("return {code}{semicolon}")),
            Form::Kept { target } => Some(format!("{} = {code}{semicolon}", self.text(*target))),
            Form::Asked { ways, .. } | Form::Tested { ways } => ways.failed.map(|it| self.moved(it, base)),
            _ => None,
        }
    }

    fn in_python(&self) -> String {
        let (end, indent, base) = (self.site.code.newline(), self.indent, &self.base);
        let handled = self.handled(base).unwrap_or_else(|| "pass".to_owned());
        let mut said =
            format!("try:{end}{base}{}{end}{indent}except {}:{end}{base}{handled}", self.tried(), self.raised.name);
        if let Some(done) = self.ways().and_then(|ways| ways.done) {
            said.push_str(&format!("{end}{indent}else:{end}{base}{}", self.moved(done, base)));
        }
        said
    }

    fn in_script(&self, answers: &Answers<'_>) -> String {
        let code = self.site.code;
        let (end, indent, base, semicolon) = (code.newline(), self.indent, &self.base, code.semicolon());
        let handled = self.handled(base).map(|it| format!("{end}{base}{it}")).unwrap_or_default();
        let stretch = Span::new(self.site.first.start(), self.site.last.end());
        let is_free = |name: &&str| {
            !code.parsed().tree.identifiers_named(code.text(), name).iter().any(|it| stretch.contains(*it))
        };
        let caught = ["error", "caught", "thrown"].into_iter().find(is_free).unwrap_or("error");
        let name = self.raised.name;
        let declared = self.declared(answers).map(|it| format!("{it}{end}{indent}")).unwrap_or_default();
        let mut said = format!(
            "{declared}try {{{end}{base}{}{end}{indent}}} catch ({caught}) {{{end}{base}if (!({caught} instanceof {name})) throw {caught}{semicolon}{handled}{end}{indent}}}",
            self.tried()
        );
        if let Some(done) = self.ways().and_then(|ways| ways.done) {
            said.push_str(&format!("{end}{indent}{}", self.moved(done, indent)));
        }
        said
    }

    /// Declares the variable of a script before it is tried to give it a value.
    fn declared(&self, answers: &Answers<'_>) -> Option<String> {
        let Site { code, first, form, .. } = self.site;
        let (target, is_coded) = match form {
            Form::Asked { target, .. } => (target, false),
            Form::Kept { target } => (target, true),
            _ => return None,
        };
        let declarator = first.named_children().next().filter(|it| it.is("variable_declarator"))?;
        let typed = declarator.child("type").map(|it| it.text(code.text()).to_owned());
        let names = ScopedNames::of(code);
        let known = || {
            let answered = answers.answered()?;
            let of = if is_coded { format!("{answered} | {}", self.raised.code) } else { answered };
            let is_type = !is_coded || matches!(self.raised.code, "null" | "undefined");
            (code.is_typed_script() && is_type && is_writable(code, &names, &of)).then(|| format!(": {of}"))
        };
        let typed = typed.or_else(known).unwrap_or_default();
        Some(format!("let {}{typed}{}", self.text(*target), code.semicolon()))
    }

    /// Lets a test expect the exception.
    fn expecting(&self, expecting: Expecting<'c>) -> TextEdit {
        let Site { code, call, first, .. } = self.site;
        let (end, base, name) = (code.newline(), &self.base, self.raised.name);
        let called = || self.layout.moved(call.span(), base);
        let word = if self.site.knows("raises") { "raises" } else { "pytest.raises" };
        match expecting {
            Expecting::Pytest => TextEdit::new(first.span(), format!("with {word}({name}):{end}{base}{}", called())),
            Expecting::Unittest => {
                TextEdit::new(first.span(), format!("with self.assertRaises({name}):{end}{base}{}", called()))
            }
            Expecting::Expect(whole) => {
                TextEdit::new(whole.span(), format!("expect(() => {}).toThrow({name})", self.text(*call)))
            }
        }
    }
}
