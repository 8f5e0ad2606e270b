//! Options of a command line: the name by which an option's value arrives is that of a parameter (click) or of an
//! attribute (argparse). No server knows.

use super::server_edits::Gathered;
use crate::plan::{Warning, WarningKind};
use crate::refactor::Refusal;
use crate::session::{Parsed, Session};
use crate::syntax::Node;
use crate::syntax::python::{CommandOption, Destination, OptionStyle, command_option, decorators};
use crate::text::{AbsPath, Span, TextEdit};

/// Packages whose decorators declare options.
const DECORATING: [&str; 2] = ["click", "cloup"];

/// Renames what the decorators of a function say of the option whose value arrives as a parameter. Tells whether the file
/// declares options in this way at all.
pub(super) fn of_parameter(
    (path, parsed): (&AbsPath, &Parsed),
    function: Node<'_>,
    (name, new_name): (&str, &str),
    gathered: &mut Gathered,
) -> bool {
    let text = parsed.text.as_str();
    if !DECORATING.iter().any(|package| text.contains(package)) {
        return false;
    }
    let options = decorators(function).filter_map(|one| command_option(one.child_of_kind("call")?, text));
    let decorated = options.filter(|option| option.style == OptionStyle::Decorator && option.reaches(name, text));
    for edit in decorated.filter_map(|option| edit(&option, text, new_name)) {
        let range = parsed.text.range(edit.span);
        let message = format!("the option that gives `{name}` is led to `{new_name}` here");
        gathered.warnings.push(Warning::at(WarningKind::StringEdited, message, path.clone(), range));
        gathered.add(path.clone(), edit.clone(), &edit.new_text);
    }
    true
}

/// Says the new name in the option, or leaves it to the flag that says the same.
fn edit(option: &CommandOption, text: &str, new_name: &str) -> Option<TextEdit> {
    let last = *option.names.last()?;
    match &option.destination {
        Destination::Said(said) if option.derived.as_deref() == Some(new_name) => {
            let own = option.names.iter().position(|names| names.contains(*said))?;
            let before = option.names.get(own.checked_sub(1)?)?;
            Some(TextEdit::new(Span::new(before.end, option.names[own].end), ""))
        }
        Destination::Said(said) => Some(TextEdit::new(*said, new_name)),
        Destination::Derived { .. } => {
            let quote = last.of(text)?.chars().next_back()?;
            Some(TextEdit::new(Span::new(last.end, last.end), format!(", {quote}{new_name}{quote}")))
        }
    }
}

/// Tells of the options whose values arrive as an attribute of that name.
pub(super) fn of_attribute(session: &Session, name: &str, gathered: &mut Gathered) -> Result<(), Refusal> {
    let mut files = session.disk().files_mentioning("add_argument");
    files.extend(session.disk().files_mentioning("add_option"));
    files.sort();
    files.dedup();
    for path in files.into_iter().filter(|path| path.extension() == "py") {
        let Some(parsed) = session.parsed(&path)? else { continue };
        let text = parsed.text.as_str();
        let options = parsed.tree.nodes().iter().filter_map(|node| command_option(node, text));
        let reaching = options.filter(|option| option.style == OptionStyle::Parser && option.reaches(name, text));
        let mut flags = Vec::new();
        for option in reaching {
            match option.destination {
                Destination::Said(span) => drop(gathered.asked.unknown.insert((path.clone(), span))),
                Destination::Derived { flag, .. } => flags.push(flag),
            }
        }
        if flags.is_empty() {
            continue;
        }
        let message = format!("`{name}` may be used here and is not changed: the option's value gets its name");
        let told = Warning::at_lines(WarningKind::PossibleUse, message, path.clone(), (&parsed.text, &flags));
        gathered.warnings.push(told);
    }
    Ok(())
}
