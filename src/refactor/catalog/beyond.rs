//! What Fowler's first edition does not have.

use super::refactoring::{
    Category, GO, Implementation, NAMEABLE, PROGRAMS, PYTHON, RUST, RUST_AND_GO, Refactoring, SCRIPT, SOLIDITY,
};
use crate::refactor::analysis::imports::whole_exports::whole_exports;
use crate::refactor::backends::{code_action, rope, server, server_offers};
use crate::refactor::beyond::{
    arrow_braces, convert_export, equal_function, f_string, functions_into_class, inline_code, module_to_package,
    move_symbol, restructure, safe_delete, static_methods, type_alias,
};
use crate::refactor::conditionals::{invert_if, join_if, split_if};
use crate::refactor::method_calls::{change_signature, introduce_parameter};
use crate::refactor::params::{Kind, NEW_NAME, Param, UNTYPED};
use crate::refactor::request::Run;
use crate::refactor::solidity;
use crate::refactor::source_file::Code;

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("rename", "Renames anything that has a name, with every use")
        .when("A name does not say what it stands for")
        .related(&["rename-method", "move-symbol"])
        .with(&[NEW_NAME, UNTYPED])
        .by(&[Implementation::server(NAMEABLE, server::RENAME)]),
    entry("move-symbol", "Moves functions, classes or constants to another module")
        .when("A function, class or constant belongs in another module")
        .related(&["merge-module", "move-method", "rename"])
        .with(&[
            Param::required("to", Kind::Path, "the module, a path; made where it is not there"),
            Param::optional("also", Kind::List, "others of the module that go along; all that goes, where the target is the file"),
            Param::optional("reexport", Kind::Flag, "whether it can still be imported from where it was"),
            LATE_IMPORT,
            IN_DOCS,
        ])
        .by(&[Implementation::composed(PROGRAMS, move_symbol::RUN), Implementation::composed(SOLIDITY, solidity::move_symbol::RUN)]),
    entry("change-signature", "Adds, removes, reorders and renames parameters of a function, with its calls, as one")
        .when("A function is to take something else than it does, in more than one respect")
        .related(&["add-parameter", "remove-parameter", "introduce-parameter-object"])
        .with(&[
            Param::required(
                "signature",
                Kind::Text,
                "the parameters in their new order: `name`, `old->new`, `name: type = default`, `*` before those passed by \
                 name alone",
            ),
            Param::optional("values", Kind::Text, "what the calls that are there pass for new ones: `rate=1, log=True`"),
            UNTYPED,
        ])
        .by(&[Implementation::composed(PROGRAMS, change_signature::RUN)]),
    entry("introduce-parameter", "Turns an expression of a function into a parameter")
        .when("A function decides on something that its callers might want otherwise")
        .related(&["add-parameter", "introduce-explaining-variable", "replace-parameter-with-method-call"])
        .with(&[
            Param::required("name", Kind::Name, "the parameter"),
            Param::optional("expression", Kind::Text, "the expression; without it, the one at the target"),
            Param::optional("replace_all", Kind::Flag, "also every other place that holds the same expression"),
            Param::optional("at_calls", Kind::Flag, "whether each call passes it, instead of a default"),
            Param::optional("param_type", Kind::Text, "its type"),
        ])
        .by(&[Implementation::composed(PROGRAMS, introduce_parameter::RUN)]),
    entry("invert-if", "Swaps the branches of a conditional, and negates its condition")
        .when("The condition says what is not the case, or the short branch stands behind the long one")
        .related(&["decompose-conditional", "replace-nested-conditional-with-guard-clauses"])
        .by(&[Implementation::composed(PROGRAMS, invert_if::RUN), Implementation::server(RUST_AND_GO, server_offers::INVERT_IF)]),
    entry("join-if", "Makes one conditional of two, of which one is all that the other holds")
        .when("A conditional holds nothing but another one")
        .related(&["split-if", "consolidate-conditional-expression"])
        .by(&[Implementation::composed(PROGRAMS, join_if::RUN)]),
    entry("split-if", "Takes a condition apart: its first part is asked first, the rest inside")
        .when("Something more is to happen where only a part of the condition holds")
        .related(&["join-if", "decompose-conditional"])
        .by(&[Implementation::composed(PROGRAMS, split_if::RUN)]),
    entry("restructure", "Turns code of one form into code of another, wherever it stands")
        .when("The same is written in many places, and there is a better way to write it")
        .related(&["rename", "replace-magic-number-with-symbolic-constant"])
        .with(&[
            Param::required(
                "pattern",
                Kind::Text,
                "the form, in the language itself: `total($ORDER)`; `$NAME` stands for any one node, `$$$NAME` for any number",
            ),
            Param::required("goal", Kind::Text, "what takes its place, with the same holes: `$ORDER.total()`"),
            Param::optional("types", Kind::List, "classes that holes have to be of: `ORDER=Order`, or `ORDER=path::Order`"),
            Param::optional("files", Kind::List, "further files, as globs: `**`"),
        ])
        .by(&[Implementation::composed(PROGRAMS, restructure::RUN)]),
    entry("replace-inline-code-with-function-call", "Lets code that says the same as a function's body call the function")
        .when("A function does already what is written out in other places")
        .related(&["extract-function", "delegate-to-equal-function", "restructure"])
        .with(&[Param::optional("files", Kind::List, "further files, as globs: `**`")])
        .by(&[Implementation::composed(PROGRAMS, inline_code::RUN)]),
    entry("safe-delete", "Deletes a function, class, field or variable that is not used")
        .when("Nothing seems to need it any more")
        .related(&["remove-parameter", "inline-method"])
        .by(&[Implementation::composed(PROGRAMS, safe_delete::RUN)]),
    entry("delegate-to-equal-function", "Lets a function call the one that does the same, or imports that one in its place")
        .when("Two functions do the same, step by step")
        .related(&["parameterize-method", "inline-method", "move-symbol"])
        .with(&[Param::required("to", Kind::Target, "the function that is to be called: its name, or `path::name`")])
        .by(&[Implementation::composed(PROGRAMS, equal_function::RUN)]),
    entry("merge-module", "Moves all of a module into another one, and deletes it")
        .when("Two modules are really one")
        .related(&["move-symbol"])
        .with(&[Param::required("into", Kind::Path, "the module that takes it in, a path"), LATE_IMPORT, IN_DOCS])
        .by(&[Implementation::composed(PROGRAMS, move_symbol::MERGE)]),
    entry("combine-functions-into-class", "Turns functions that share their data into a class")
        .when("Several functions are passed the same data")
        .related(&["introduce-parameter-object", "extract-class"])
        .with(&[
            Param::required("name", Kind::Name, "the class"),
            Param::required("functions", Kind::List, "the functions, by their names"),
        ])
        .by(&[Implementation::composed(PROGRAMS, functions_into_class::RUN)]),
    entry("move-functions-into-class", "Makes functions of a module static methods of a class")
        .when("Functions belong together, or to a class, and share no data")
        .related(&["combine-functions-into-class", "move-symbol", "move-method"])
        .with(&[
            Param::required("class", Kind::Name, "the class: a new one, or one of the module"),
            Param::optional("functions", Kind::List, "the functions, by their names; besides the one that is pointed at"),
        ])
        .by(&[Implementation::composed(PROGRAMS, static_methods::RUN)]),
    entry("local-to-field", "Makes a variable of a method a field of its object")
        .when("Other methods need what a variable of one method holds")
        .related(&["replace-temp-with-query"])
        .by(&[Implementation::rope(rope::LOCAL_TO_FIELD)]),
    entry("organize-imports", "Sorts the imports of a file, joins those of one module, and takes out what is not used")
        .when("The imports of a file are in no order")
        .related(&["add-missing-imports", "remove-unused"])
        .by(&[Implementation::server(PROGRAMS, code_action::ORGANIZE_IMPORTS), Implementation::server(GO, code_action::ORGANIZE_IMPORTS)]),
    entry("add-missing-imports", "Imports the names of a file that nothing declares, where only one place has them")
        .when("Code was pasted, and its imports were not")
        .related(&["organize-imports"])
        .by(&[Implementation::server(PROGRAMS, code_action::ADD_MISSING_IMPORTS)]),
    entry("remove-unused", "Takes out the imports, variables and private declarations of a file that are not used")
        .when("A checker says that names are not used")
        .related(&["organize-imports"])
        .by(&[Implementation::server(PROGRAMS, code_action::REMOVE_UNUSED)]),
    entry("convert-to-async", "Turns a chain of `then` into an async function that awaits")
        .when("A function returns a chain of promises")
        .related(&["infer-return-type"])
        .by(&[Implementation::server(SCRIPT, code_action::TO_ASYNC)]),
    entry(
        "convert-to-template-string",
        "Turns strings that are joined by `+`, in Python by `%` and `format`, too, into a template string, or an f-string",
    )
    .when("A string is put together from pieces")
    .related(&["inline-temp"])
    .by(&[Implementation::server(SCRIPT, code_action::TO_TEMPLATE_STRING), Implementation::composed(PYTHON, f_string::RUN)]),
    entry("convert-to-optional-chain", "Turns `a && a.b` into `a?.b`")
        .when("An object is asked for before a member of it is")
        .related(&["introduce-null-object"])
        .by(&[Implementation::server(SCRIPT, code_action::TO_OPTIONAL_CHAIN)]),
    entry("arrow-function-braces", "Puts braces around the body of an arrow function, or takes them away")
        .when("An arrow function is to hold a second statement, or holds only one")
        .related(&["extract-function"])
        .by(&[Implementation::composed(SCRIPT, arrow_braces::RUN)]),
    entry(
        "convert-export",
        "Turns a default export into a named one, or a named one into the default, with every import",
    )
    .when("A module's export goes by another name wherever it is imported")
    .related(&["convert-import"])
    .with(&[Param::optional("name", Kind::Name, "the name of a default that has none; else the one that importers give it")])
    .by(&[Implementation::composed(SCRIPT, convert_export::RUN)]),
    entry("convert-import", "Turns named imports into a namespace import, or back")
        .when("Many names are imported from one module, or few through its namespace")
        .related(&["convert-export", "organize-imports"])
        .by(&[Implementation::server(SCRIPT, code_action::CONVERT_IMPORT)]),
    entry("generate-accessors", "Gives a field a getter and a setter, and hides it behind them")
        .when("More is to happen when a field is read or written")
        .related(&["encapsulate-field"])
        .by(&[Implementation::server(SCRIPT, code_action::ACCESSORS)]),
    entry("infer-return-type", "Writes down the type that a function returns")
        .when("A reader has to work out what a function returns")
        .related(&["convert-to-async"])
        .by(&[Implementation::server(SCRIPT, code_action::RETURN_TYPE)]),
    entry("implement-interface", "Gives a class the members that its interface asks for, to be filled in")
        .when("A class lacks members of an interface that it implements")
        .related(&["extract-interface"])
        .by(&[
            Implementation::server(SCRIPT, code_action::IMPLEMENT_INTERFACE),
            Implementation::server(RUST_AND_GO, server_offers::IMPLEMENT_INTERFACE),
        ]),
    entry("move-to-new-file", "Moves a declaration to a new file that is called like it, with every import")
        .when("A declaration deserves a file of its own")
        .related(&["move-symbol"])
        .by(&[
            Implementation::server(SCRIPT, NEW_SCRIPT),
            Implementation::composed(PYTHON, move_symbol::NEW_FILE),
            Implementation::server(RUST, server_offers::NEW_FILE),
        ]),
    entry("extract-type", "Gives a type that is written out a name of its own")
        .when("A type is written out where it is used")
        .related(&["extract-interface", "infer-return-type"])
        .with(&[Param::required("name", Kind::Name, "the type")])
        .by(&[
            Implementation::server(SCRIPT, code_action::EXTRACT_TYPE),
            Implementation::composed(PYTHON, type_alias::RUN),
            Implementation::server(RUST, server_offers::EXTRACT_TYPE),
        ]),
    entry("convert-module-to-package", "Turns a module into a package of the same name, with every import")
        .when("A module has grown, and is to be taken apart")
        .related(&["move-symbol", "move-to-new-file", "merge-module"])
        .by(&[Implementation::composed(PROGRAMS, module_to_package::RUN), Implementation::server(RUST, server_offers::MODULE_TO_PACKAGE)]),
];

/// tsserver (6.0) takes more along than `move-symbol` does, in its own style, and leaves out who takes the declaration by
/// `export *`.
const NEW_SCRIPT: Run = |session, request| {
    Box::pin(async move {
        session.refresh().await;
        let is_handed_on = !whole_exports(session, &Code::of(session, request)?)?.is_empty();
        match move_symbol::NEW_FILE(session, request).await {
            Err(_) if !is_handed_on => code_action::NEW_FILE(session, request).await,
            planned => planned,
        }
    })
};

const IN_DOCS: Param = Param::optional(
    "in_docs",
    Kind::Flag,
    "whether documents, data, comments and docstrings follow, which no server confirms",
);

const LATE_IMPORT: Param = Param::optional(
    "late_import",
    Kind::Flag,
    "whether functions import what would close a circle, when they need it (Python)",
);

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Beyond, name, description)
}
