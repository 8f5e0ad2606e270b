//! Names of modules that a program puts together as it runs: `import_module("pkg." + name)`, `sys.modules[f"pkg.{name}"]`.

use std::collections::BTreeMap;

use super::source::Source;
use super::tree::ModuleTree;
use crate::plan::{Warning, WarningKind};
use crate::syntax::Node;

/// What takes the name of a module.
pub(super) const TAKING: [&str; 6] =
    ["import_module", "__import__", "find_spec", "resolve_name", "run_module", "import_string"];
/// What lists the modules of a package (Python's `pkgutil`).
pub(super) const LISTING: [&str; 2] = ["iter_modules", "walk_packages"];

/// A stretch of a string that is put together.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Said(String),
    /// What only the program knows.
    Open,
}

/// Tells where a file puts names of modules together, or lists those of a package, and a module that moves may be one of them;
/// `old` is its dotted name before the move.
pub(super) fn tell(source: &Source, tree: &ModuleTree, old: &str) -> Option<Warning> {
    let text = source.str();
    let package = old.rsplit_once('.').map_or("", |(package, _)| package);
    let reader = Reader::new(source, tree, package);
    let says_module = |node: &Node<'_>| is_joined(*node, text) && reader.may_be(*node, old);
    let lists_module = |node: &Node<'_>| !package.is_empty() && reader.lists(*node);
    let all = source.tree().nodes().iter();
    let (found, message) = all
        .filter_map(|node| match (says_module(&node), lists_module(&node)) {
            (true, _) => {
                Some((node, format!("names of modules are put together here, and `{old}` may be one of them")))
            }
            (_, true) => {
                Some((node, format!("the modules of `{package}` are listed here, and `{old}` is one of them")))
            }
            _ => None,
        })
        .next()?;
    let range = source.text.range(found.span());
    Some(Warning::at(WarningKind::RunTime, message, source.path.clone(), range))
}

/// Tells whether a string is put together there, and nothing around it is a part of the same one.
fn is_joined(node: Node<'_>, text: &str) -> bool {
    let is_it = |node: Node<'_>| match node.kind() {
        "string" => node.children().any(|it| it.is("interpolation")),
        "binary_operator" => matches!(node.child("operator").map(|it| it.text(text)), Some("+" | "%")),
        "call" => formatted(node, text).is_some(),
        "concatenated_string" => true,
        _ => false,
    };
    is_it(node) && !node.parent().is_some_and(|outer| is_it(outer) && !outer.is("call"))
}

/// Returns the string that a call of `format` fills.
fn formatted<'t>(call: Node<'t>, text: &str) -> Option<Node<'t>> {
    let function = call.child("function").filter(|it| it.is("attribute"))?;
    let object = function.child("object").filter(|it| it.is("string"))?;
    (function.child("attribute")?.text(text) == "format").then_some(object)
}

struct Reader<'s> {
    text: &'s str,
    package: &'s str,
    /// What names of the module say: `APP = "shop"`, `__name__`.
    known: BTreeMap<String, Option<String>>,
    is_in_package: bool,
    takes_modules: bool,
}

impl<'s> Reader<'s> {
    fn new(source: &'s Source, tree: &ModuleTree, package: &'s str) -> Self {
        let text = source.str();
        let dotted = |place| tree.dotted(place, &tree.root_of(&source.place));
        let mut known = BTreeMap::from([
            ("__name__".to_owned(), dotted(&source.place)),
            ("__package__".to_owned(), dotted(&source.directory)),
        ]);
        let is_in_package = known["__package__"].as_deref() == Some(package);
        let statements = source.tree().nodes().root().named_children().filter_map(|it| it.named_children().next());
        for assignment in statements.filter(|it| it.is("assignment")) {
            let (Some(left), right) = (assignment.child("left"), assignment.child("right")) else { continue };
            let said = right.filter(|it| it.is("string") && !it.children().any(|it| it.is("interpolation")));
            let said = said.map(|it| it.named_children().filter(|it| it.is("string_content")).map(|it| it.text(text)));
            let said: Option<String> = said.map(Iterator::collect);
            let is_first = !known.contains_key(left.text(text));
            known.insert(left.text(text).to_owned(), said.filter(|_| is_first));
        }
        let takes_modules = TAKING.iter().any(|one| text.contains(one)) || text.contains("sys.modules");
        Self { text, package, known, is_in_package, takes_modules }
    }

    /// Tells whether a string that is put together may be the name of a module.
    fn may_be(&self, node: Node<'_>, old: &str) -> bool {
        let parts = joined(self.parts(node));
        let is_asked = || self.is_module(node);
        match parts.as_slice() {
            // It is said in full.
            [Part::Said(said)] => !said.contains(char::is_whitespace) && begins(said, old),
            [Part::Said(said), ..] if said.starts_with('.') => {
                let said = said.trim_start_matches('.').to_owned();
                let says_more = !said.is_empty() || self.is_in_package;
                let rest: Vec<Part> = [Part::Said(said)].into_iter().chain(parts[1..].iter().cloned()).collect();
                let mut ends = old.match_indices('.').map(|(at, _)| &old[at + 1..]);
                says_more && is_asked() && (ends.any(|end| matches(&rest, end)) || matches(&rest, old))
            }
            [Part::Said(said), ..] if said.starts_with(&format!("{}.", self.package)) && !self.package.is_empty() => {
                (self.takes_modules && self.package.contains('.') || is_asked()) && matches(&parts, old)
            }
            _ => {
                let says = |part: &Part| matches!(part, Part::Said(said) if said.contains(char::is_alphanumeric));
                parts.iter().any(says) && is_asked() && matches(&parts, old)
            }
        }
    }

    /// Tells whether a module is asked for by the string.
    fn is_module(&self, string: Node<'_>) -> bool {
        let text = self.text;
        string.ancestors().any(|outer| {
            let taken_by = |field| outer.child(field).map_or("", |taking: Node<'_>| last(taking.text(text)));
            let is_behind = |field| outer.child(field).is_some_and(|it: Node<'_>| !it.span().contains(string.span()));
            outer.is("call") && TAKING.contains(&taken_by("function")) && is_behind("function")
                || outer.is("subscript") && taken_by("value") == "modules" && is_behind("value")
        })
    }

    /// Tells whether a call lists the modules of the package: `iter_modules(plugins.__path__)`.
    fn lists(&self, call: Node<'_>) -> bool {
        let text = self.text;
        let function = call.child("function").filter(|_| call.is("call")).map_or("", |it| last(it.text(text)));
        let arguments = call.child("arguments").map_or("", |it| it.text(text));
        let mut words = arguments.split(|it: char| !(it.is_alphanumeric() || it == '_'));
        LISTING.contains(&function)
            && words.any(|word| word == last(self.package) || word == "__path__" && self.is_in_package)
    }

    fn parts(&self, node: Node<'_>) -> Vec<Part> {
        let text = self.text;
        match node.kind() {
            "string" => node.named_children().flat_map(|it| self.of_string(it)).collect(),
            "concatenated_string" | "parenthesized_expression" => {
                node.named_children().flat_map(|it| self.parts(it)).collect()
            }
            "binary_operator" => {
                let side = |field| node.child(field).map_or_else(Vec::new, |it| self.parts(it));
                match node.child("operator").map(|it| it.text(text)) {
                    Some("+") => side("left").into_iter().chain(side("right")).collect(),
                    Some("%") => side("left").into_iter().flat_map(|part| opened(part, '%')).collect(),
                    _ => vec![Part::Open],
                }
            }
            "call" => match formatted(node, text) {
                Some(string) => self.parts(string).into_iter().flat_map(|part| opened(part, '{')).collect(),
                None => vec![Part::Open],
            },
            "identifier" => vec![self.known.get(node.text(text)).cloned().flatten().map_or(Part::Open, Part::Said)],
            "attribute" => {
                let module = node.text(text).strip_suffix(".__name__").map(last);
                let is_it = module.is_some_and(|it| it == last(self.package));
                vec![if is_it { Part::Said(self.package.to_owned()) } else { Part::Open }]
            }
            _ => vec![Part::Open],
        }
    }

    fn of_string(&self, part: Node<'_>) -> Vec<Part> {
        match part.kind() {
            "string_content" => vec![Part::Said(part.text(self.text).to_owned())],
            "interpolation" => part.child("expression").map_or_else(|| vec![Part::Open], |it| self.parts(it)),
            _ => Vec::new(),
        }
    }
}

/// Takes a template apart at what is filled in: `%s`, `{}`.
fn opened(part: Part, sign: char) -> Vec<Part> {
    let Part::Said(said) = part else { return vec![part] };
    let mut parts = Vec::new();
    for (at, piece) in said.split(sign).enumerate() {
        let rest = match (at, sign) {
            (0, _) => piece,
            (_, '{') => piece.split_once('}').map_or("", |(_, rest)| rest),
            _ => piece.trim_start_matches('(').split_once(['s', 'd', 'r']).map_or("", |(_, rest)| rest),
        };
        if at > 0 {
            parts.push(Part::Open);
        }
        parts.push(Part::Said(rest.to_owned()));
    }
    parts
}

fn joined(parts: Vec<Part>) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::new();
    for part in parts {
        match (all.last_mut(), part) {
            (Some(Part::Said(before)), Part::Said(said)) => before.push_str(&said),
            // One that is open stands for all beside it: each more would be tried at every letter.
            (Some(Part::Open), Part::Open) => {}
            (_, part) => all.push(part),
        }
    }
    all.retain(|part| *part != Part::Said(String::new()));
    all
}

/// Tells whether a name, or one of what is below it, can come of the parts.
fn matches(parts: &[Part], name: &str) -> bool {
    match parts {
        [] => name.is_empty(),
        [Part::Said(said), rest @ ..] => match name.strip_prefix(said.as_str()) {
            Some(name) => matches(rest, name),
            None => begins(said, name),
        },
        [Part::Open, rest @ ..] => {
            let ends = name.char_indices().skip(1).map(|(at, _)| at).chain([name.len()]);
            !name.is_empty() && ends.into_iter().any(|at| matches(rest, &name[at..]))
        }
    }
}

/// Tells whether what is said begins with all parts of a dotted name.
fn begins(said: &str, name: &str) -> bool {
    said.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn last(dotted: &str) -> &str {
    dotted.rsplit('.').next().unwrap_or(dotted)
}
