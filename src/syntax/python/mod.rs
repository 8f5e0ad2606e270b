//! What a Python text says: its imports, its scopes, its classes and its public names.

mod arguments;
mod bindings;
mod class;
mod decorators;
mod docstring;
mod doctest;
mod dunder_all;
mod except_clauses;
mod f_string;
mod folded;
mod imports;
mod lazy_tables;
mod lexer;
mod logical_lines;
mod loops;
mod notebook;
mod options;
mod patterns;
mod qualified;
mod slots;
mod special;
mod spoken;
mod string_fields;
mod type_positions;

pub use arguments::argument;
pub use bindings::{Binding, Names, Scope, ScopeKind, Use};
pub use class::{Alias, Attribute, AttributeKind, Base, Class, InnerClass, Method, Parameter, Receiver, classes};
pub use decorators::decorators;
pub use docstring::{Documented, Documents, docstring, documented, quoted_names};
pub use doctest::{Unfolded, examples_of};
pub use dunder_all::{dunder_all, listed_in};
pub use except_clauses::is_caught;
pub use f_string::in_f_string;
pub use folded::{Folded, folded, is_of_one_text, may_add_up_to};
pub use imports::{DottedName, FromImport, FromItem, Import, ImportKind, Imported, ModuleItem, Word, imports};
pub use lazy_tables::{Listed, finds_names, listed};
pub use lexer::{Token, TokenKind, lex};
pub use logical_lines::{broken_lines, needs_brackets};
pub use loops::loops_around;
pub use notebook::cells_of;
pub use options::{CommandOption, Destination, OptionStyle, command_option};
pub use patterns::matched;
pub use qualified::qualified;
pub use slots::{UnknownSlots, with_slot};
pub use special::{ANSWERING, OF_ALL_OBJECTS, has_special_form, is_class_of_object, is_special_name};
pub use spoken::{Spoken, spoken, words_in};
pub use string_fields::string_fields;
pub use type_positions::stands_for_type;

use super::Node;
pub use super::site::python::is_target;

/// Returns the definition that a decorated definition, an `if` or a `try` block holds at this statement.
fn undecorated(statement: Node<'_>) -> Node<'_> {
    statement.child("definition").filter(|_| statement.is("decorated_definition")).unwrap_or(statement)
}

/// Returns the statements of a block that run in its scope: those inside `if`, `try`, `with`, loops and
/// `match` too, those inside functions and classes not.
fn statements(block: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    block
        .walk_until(move |node| node != block && node.is_any(&["function_definition", "class_definition", "lambda"]))
        .skip(1)
        .filter(|node| node.kind().ends_with("_statement") || node.kind().ends_with("definition"))
}
