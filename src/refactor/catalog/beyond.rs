//! What Fowler's first edition does not have.

use super::refactoring::{Category, NAMEABLE, PROGRAMS, Refactoring, SOLIDITY, Way};
use crate::refactor::backends::{rope, server};
use crate::refactor::beyond::{functions_into_class, move_symbol, safe_delete};
use crate::refactor::conditionals::invert_if;
use crate::refactor::method_calls::change_signature;
use crate::refactor::params::{Kind, NEW_NAME, Param};
use crate::refactor::solidity;

pub(super) const ENTRIES: &[Refactoring] = &[
    entry("rename", "Renames anything that has a name, with every use")
        .when("A name does not say what it stands for")
        .related(&["rename-method", "move-symbol"])
        .with(&[NEW_NAME])
        .by(&[Way::server(NAMEABLE, server::RENAME)]),
    entry("move-symbol", "Moves functions, classes or constants to another module")
        .when("A function, class or constant belongs in another module")
        .related(&["merge-module", "move-method", "rename"])
        .with(&[
            Param::required("to", Kind::Text, "the module, a path; made where it is not there"),
            Param::optional("also", Kind::List, "others of the module that go along"),
            Param::optional("reexport", Kind::Flag, "whether it can still be imported from where it was"),
        ])
        .by(&[Way::composed(PROGRAMS, move_symbol::RUN), Way::composed(SOLIDITY, solidity::move_symbol::RUN)]),
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
        ])
        .by(&[Way::composed(PROGRAMS, change_signature::RUN)]),
    entry("invert-if", "Swaps the branches of a conditional, and negates its condition")
        .when("The condition says what is not the case, or the short branch stands behind the long one")
        .related(&["decompose-conditional", "replace-nested-conditional-with-guard-clauses"])
        .by(&[Way::composed(PROGRAMS, invert_if::RUN)]),
    entry("safe-delete", "Deletes a function, class or variable that nobody uses")
        .when("Nothing seems to need it any more")
        .related(&["remove-parameter", "inline-method"])
        .by(&[Way::composed(PROGRAMS, safe_delete::RUN)]),
    entry("merge-module", "Moves all of a module into another one, and deletes it")
        .when("Two modules are really one")
        .related(&["move-symbol"])
        .with(&[Param::required("into", Kind::Text, "the module that takes it in, a path")])
        .by(&[Way::composed(PROGRAMS, move_symbol::MERGE)]),
    entry("combine-functions-into-class", "Turns functions that share their data into a class")
        .when("Several functions are passed the same data")
        .related(&["introduce-parameter-object", "extract-class"])
        .with(&[
            Param::required("name", Kind::Name, "the class"),
            Param::required("functions", Kind::List, "the functions, by their names"),
        ])
        .by(&[Way::composed(PROGRAMS, functions_into_class::RUN)]),
    entry("local-to-field", "Makes a variable of a method a field of its object")
        .when("Other methods need what a variable of one method holds")
        .related(&["replace-temp-with-query"])
        .by(&[Way::rope(rope::LOCAL_TO_FIELD)]),
];

const fn entry(name: &'static str, description: &'static str) -> Refactoring {
    Refactoring::new(Category::Beyond, name, description)
}
