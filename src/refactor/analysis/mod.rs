//! What several refactorings ask of code: references, call sites, classes, scopes, evaluation order, imports, edits.
//!
//! The rooms of `analysis`: `references` (every place that means a declaration, and what is done there), `classes`
//! and `members` (what a class has, and what its members use of their object), `inherited_members` (what comes from a
//! superclass, and who notices the difference), `delegate_field` (the field that holds another object),
//! `delegated_access` (fields that are asked for by way of it), `call_sites` and `signatures` (what each call passes
//! for each parameter), `call_targets` (a call that stands for its function), `called_objects` (calls that mean a `__call__`), `expressions` (the one that is asked for), `given_text` (values and types that a caller words), `evaluation_order` and `value_semantics` (what may be evaluated at another time),
//! `definite_assignment` (whether a variable of Python has a value by then), `present_values` (whether what is returned is always something), `idle_statements` (what a module that is loaded calls), `conditions` (joined, and taken apart), `equal_code` (whether two files mean the same by what reads the same), `imports` (`placement`: where they come to
//! stand), `indentation`, `line_length`, `edits`.
//!
//! What files take from each other is told in one vocabulary for Python and scripts (`moves/links.rs`): links, which
//! resolve by the same resolvers that moves of files use. `analysis/imports` takes imports out, leads them to another
//! module and writes new ones; `beyond/move_symbol` is what it was built for: departure, arrival, needs and importers
//! are a file each, and every place that the server knows of must have been led, or the whole is refused.

mod bare_objects;
pub(super) mod blocks;
pub(super) mod brace_spacing;
pub(super) mod call_arity;
pub(super) mod call_sites;
pub(super) mod call_targets;
pub(super) mod called_objects;
pub(super) mod class_identity;
pub(super) mod class_variables;
pub(super) mod classes;
pub(super) mod companions;
pub(super) mod conditions;
pub(super) mod constructor_calls;
pub(super) mod data_classes;
pub(super) mod default_exports;
pub(super) mod definite_assignment;
pub(super) mod delegate_field;
pub(super) mod delegated_access;
pub(super) mod delegation;
pub(super) mod edits;
pub(super) mod equal_code;
pub(super) mod evaluation_order;
pub(super) mod expressions;
pub(super) mod extracted_expression;
pub(super) mod extracted_tail;
pub(super) mod field_initialization;
pub(super) mod fields;
pub(super) mod forward_references;
mod forwarding_constructors;
pub(super) mod free_names;
pub(super) mod given_text;
pub(super) mod idle_statements;
pub(super) mod imports;
pub(super) mod indentation;
pub(super) mod inferred_types;
pub(super) mod inherited_members;
pub(super) mod line_length;
pub(super) mod literal_types;
pub(super) mod members;
pub(super) mod method_receivers;
pub(super) mod module_functions;
pub(super) mod module_system;
pub(super) mod moved_methods;
pub(super) mod object_literals;
pub(super) mod opened_members;
pub(super) mod override_conflicts;
pub(super) mod page_scripts;
pub(super) mod parameter_docs;
pub(super) mod parameter_fields;
pub(super) mod parameters;
mod plan_texts;
pub(super) mod present_values;
pub(super) mod probed_types;
pub(super) mod pure_calls;
pub(super) mod references;
pub(super) mod removed_statements;
pub(super) mod repeated_statements;
pub(super) mod result_docs;
pub(super) mod script_declarations;
pub(super) mod script_quotes;
pub(super) mod script_semicolons;
pub(super) mod script_style;
pub(super) mod sibling_declarations;
pub(super) mod signatures;
pub(super) mod substitution;
pub(super) mod tail_returns;
pub(super) mod type_comments;
pub(super) mod type_parameters;
pub(super) mod typed_comments;
pub(super) mod value_semantics;
