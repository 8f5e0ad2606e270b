//! What the files of a project take from each other, in the words of every language.

use crate::refactor::source_file::Code;
use crate::text::{AbsPath, Span, TextEdit};

/// One thing that an import statement takes from a module.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// From the first keyword to the end, a semicolon included.
    pub statement: Span,
    /// The item in the statement: `a as b`; of one that has no items, the statement.
    pub item: Span,
    /// The module as it is written, without quotes.
    pub source: Span,
    pub taken: LinkedName,
    /// The name that is bound by it.
    pub local: Option<Span>,
    /// The file of the project that the module is.
    pub module: Option<AbsPath>,
    pub form: LinkForm,
}

/// What is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LinkedName {
    Name(String),
    Default,
    /// The module itself, under a name.
    Module,
    Star,
    /// Nothing: the module is run.
    Nothing,
}

/// A name that a module comes to have, and gives to whoever takes all of it.
pub(crate) struct NewName<'a> {
    pub home: &'a AbsPath,
    pub name: &'a str,
    /// Tells whether another module no longer has it.
    pub leaves: &'a dyn Fn(&AbsPath) -> bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkForm {
    Import,
    /// `require("./shop")`, `await import("./shop")`
    Require,
    /// It is gone when the program runs.
    TypeImport,
    /// `export … from`
    Export,
    TypeExport,
}

/// Knows which module an import means, and how one is written.
pub(crate) trait Links {
    /// Returns all that a file's import statements take, in the order of the text.
    fn of(&self, code: &Code) -> Vec<Link>;

    /// Returns what they and `require` take, and `await import`, in the order of the text.
    fn with_required(&self, code: &Code) -> Vec<Link> {
        self.of(code)
    }

    /// Writes the module of `target` for `importer`, as `model`, a link of the file `from`, is written.
    fn source(&self, model: (&Code, &Link), importer: &AbsPath, target: &AbsPath) -> Result<String, String>;

    /// Writes the module of `target` for a file that shows no way to do it.
    fn plain_source(&self, importer: &AbsPath, target: &AbsPath) -> Result<String, String>;

    /// Returns every `module.name` of a file that means this name of that module.
    fn members(&self, code: &Code, module: &AbsPath, name: &str) -> Vec<Span>;

    /// Returns where a script names the module without a statement, and for what.
    fn spelled(&self, _code: &Code, _module: &AbsPath) -> Vec<(Span, SpelledName)> {
        Vec::new()
    }

    /// Returns where a script loads the module without an import statement: what stands between the quotes.
    fn loads(&self, _code: &Code, _module: &AbsPath) -> Vec<Span> {
        Vec::new()
    }

    /// Writes the modules that comments in a stretch of a file name (`import("./shop").Order`) as they are in another one.
    ///
    /// # Errors
    /// The offset of one that cannot be named there, and why.
    fn carried(&self, _code: &Code, _span: Span, _there: &AbsPath) -> Result<Vec<TextEdit>, (usize, String)> {
        Ok(Vec::new())
    }

    /// Writes the module of `target` as another one is written at a place of a file.
    fn respelled(&self, (code, _): (&Code, Span), target: &AbsPath) -> Result<String, String> {
        self.plain_source(&code.path, target)
    }
}

/// What a module is named for, beside import statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpelledName {
    /// `import("./shop").Order`: where the name stands.
    Member(Span),
    /// `vi.mock("./shop")`
    Double,
    /// It is passed to a function that nothing is known of: `esmock("./shop")`.
    Passed,
}

impl LinkForm {
    pub(crate) fn is_export(self) -> bool {
        matches!(self, Self::Export | Self::TypeExport)
    }

    pub(crate) fn is_type(self) -> bool {
        matches!(self, Self::TypeImport | Self::TypeExport)
    }
}
