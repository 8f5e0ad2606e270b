//! What a function can raise, asked over MCP on real servers.

use serde_json::{Value, json};

use crate::explore::{begun, refused, said};
use crate::faces::Project;
use crate::mcp::Client;

const PYTHON: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1\"\n"),
    ("shop/__init__.py", ""),
    (
        "shop/errors.py",
        "class ShopError(Exception):\n    pass\n\n\nclass Sold(ShopError, LookupError):\n    pass\n\n\nclass Late(ShopError):\n    \
         def __init__(self, days: int) -> None:\n        assert isinstance(days, int)\n        super().__init__()\n",
    ),
    (
        "shop/stock.py",
        "import contextlib\n\nfrom shop.errors import Late, ShopError, Sold\n\n\ndef sell(sold: bool) -> None:\n    if sold:\n        \
         raise Sold\n\n\ndef caught(sold: bool) -> None:\n    try:\n        sell(sold)\n    except LookupError:\n        \
         pass\n\n\ndef again(sold: bool) -> None:\n    try:\n        sell(sold)\n    except ShopError as error:\n        if sold:\n            \
         raise\n        raise Late(3) from error\n    else:\n        raise ValueError(\"late\")\n    finally:\n        \
         sell(sold)\n\n\ndef bare(sold: bool) -> None:\n    try:\n        again(sold)\n    except:\n        pass\n\n\ndef \
         other(sold: bool) -> None:\n    try:\n        sell(sold)\n    except (KeyError, ValueError):\n        pass\n\n\ndef \
         suppressed(sold: bool) -> None:\n    with contextlib.suppress(ShopError):\n        sell(sold)\n\n\ndef \
         decoded(data: bytes) -> None:\n    try:\n        raise UnicodeDecodeError(\"utf-8\", data, 0, 1, \"bad\")\n    except \
         ValueError:\n        pass\n\n\ndef circle(sold: bool) -> None:\n    sell(sold)\n    back(sold)\n\n\ndef back(sold: bool) \
         -> None:\n    circle(sold)\n\n\ndef held(sold: bool) -> None:\n    error = Late(1) if sold else Sold()\n    raise \
         error\n\n\ndef called(what) -> None:\n    what()\n\n\ndef read(text: str) -> None:\n    int(text)\n",
    ),
    (
        "shop/kinds.py",
        "from typing import overload; from shop.errors import Late, Sold\n\n\nclass Kind:\n    def price(self) -> int:\n        raise \
         NotImplementedError\n\n    @property\n    def rate(self) -> int:\n        raise Sold()\n\n\nclass Book(Kind):\n    def \
         price(self) -> int:\n        raise Late(2)\n\n\ndef price_of(kind: Kind) -> int:\n    return kind.price()\n\n\ndef \
         rate_of(kind: Kind) -> int:\n    return kind.rate\n\n\ndef numbers(last: int):\n    raise Sold\n    yield \
         last\n\n\ndef first() -> None:\n    try:\n        found = numbers(3)\n    except Sold:\n        found = []\n    for number \
         in found:\n        print(number)\n\n\ndef taken() -> None:\n    try:\n        for _ in numbers(3):\n            \
         pass\n    except Sold:\n        pass\n\n\nasync def slow() -> None:\n    raise Late(1)\n\n\nasync def waits() -> None:\n    \
         try:\n        await slow()\n    except Late:\n        pass\n\n\ndef made() -> None:\n    Late(1)\n\n\n@overload\ndef \
         sized(size: int) -> int: ...\n@overload\ndef sized(size: str) -> str: ...\ndef sized(size):\n    raise Sold\n",
    ),
];

const SCRIPT: &[(&str, &str)] = &[
    ("package.json", "{ \"name\": \"shop\", \"version\": \"1.0.0\" }\n"),
    (
        "tsconfig.json",
        "{ \"compilerOptions\": { \"strict\": true, \"target\": \"es2022\", \"module\": \"nodenext\" } }\n",
    ),
    (
        "src/errors.ts",
        "export class Sold extends Error {}\nexport class Late extends Error {\n  constructor(days: number) {\n    super();\n    if \
         (days < 0) throw new RangeError(\"days\");\n  }\n}\n",
    ),
    (
        "src/stock.ts",
        "import { Late, Sold } from \"./errors.js\";\n\nexport function sell(sold: boolean): void {\n  if (sold) throw new \
         Sold();\n}\n\nexport function caught(): void {\n  try {\n    sell(true);\n  } catch {\n    sell(false);\n  }\n}\n\nexport \
         function again(): void {\n  try {\n    sell(true);\n  } catch (error) {\n    if (error instanceof Sold) throw \
         error;\n  }\n}\n\nexport function quiet(): void {\n  try {\n    sell(true);\n  } catch (error) {\n    return;\n  }\n}\n\nexport \
         async function slow(): Promise<void> {\n  throw \"slow\";\n}\n\nexport async function waits(): Promise<void> {\n  try {\n    \
         await slow();\n  } catch {}\n}\n\nexport async function loose(): Promise<void> {\n  try {\n    slow();\n  } catch \
         {}\n}\n\nexport async function handed(): Promise<void> {\n  try {\n    return slow();\n  } catch {}\n}\n\nexport function \
         late(): void {\n  new Late(3);\n}\n\nexport interface Kind { price(): number }\nexport class Book implements Kind {\n  \
         price(): number { throw new Late(1); }\n  get rate(): number { throw { code: 1 }; }\n}\nexport function priceOf(kind: Kind): \
         number {\n  return kind.price();\n}\nexport function rateOf(book: Book): number {\n  return book.rate;\n}\nexport function \
         each(what: () => void): void {\n  what();\n}\nexport function rejected(): Promise<void> {\n  return Promise.reject(new \
         Sold());\n}\n",
    ),
];

const CONTRACTS: &[(&str, &str)] = &[
    ("foundry.toml", "[profile.default]\nsrc = \"src\"\n"),
    (
        "src/Vault.sol",
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\nerror Empty(uint256 left);\n\ninterface Token {\n    function \
         pay(address to) external returns (bool);\n}\n\nabstract contract Owned {\n    address internal owner;\n    error \
         NotOwner();\n\n    modifier onlyOwner() {\n        if (msg.sender != owner) revert NotOwner();\n        _;\n    }\n\n    \
         function check(uint256 amount) internal view virtual;\n}\n\ncontract Vault is Owned {\n    mapping(address => uint256) \
         held;\n    uint256[] list;\n    Token token;\n\n    constructor(uint256 first) {\n        require(first > 0, \
         \"nothing\");\n    }\n\n    function check(uint256 amount) internal view override {\n        if (amount > held[msg.sender]) \
         revert Empty(amount);\n    }\n\n    function take(uint256 amount) external onlyOwner {\n        check(amount);\n        \
         assert(amount > 0);\n    }\n\n    function paid() external {\n        try token.pay(msg.sender) returns (bool) {\n        } \
         catch {\n        }\n    }\n\n    function pays() external {\n        token.pay(msg.sender);\n    }\n\n    function at(uint256 \
         place) external view returns (uint256) {\n        return list[place];\n    }\n\n    function plain(uint256 amount) external \
         pure returns (uint256) {\n        return amount;\n    }\n}\n",
    ),
];

/// The errors of a function, each with the function that raises it, its lines and its way; then what was not followed.
fn errors(client: &mut Client, target: &str) -> Vec<String> {
    let set = said(client, "error_set", json!({"id": target, "limit": 500}));
    let list = |key: &str| set[key].as_array().unwrap().clone();
    let words = |one: &Value| one.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join(",");
    let way = |one: &Value| {
        one["path"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect::<Vec<_>>().join(" > ")
    };
    let mut found: Vec<String> = list("errors")
        .iter()
        .map(|one| format!("{} {} {}", one["error"].as_str().unwrap(), words(&one["lines"]), way(one)))
        .collect();
    found.extend(list("not_followed").iter().map(|one| {
        format!("? {} {} {}", one["reason"].as_str().unwrap(), one["written"].as_str().unwrap(), words(&one["lines"]))
    }));
    found.extend(list("operations").iter().flat_map(|one| {
        let operations = one["operations"].as_array().unwrap().clone();
        operations.into_iter().map(|it| format!("~ {}", it.as_str().unwrap()))
    }));
    assert_eq!(set["complete"], !found.iter().any(|it| it.starts_with(['?', '~'])), "{set}");
    found
}

fn asked(files: &[(&str, &str)]) -> (Project, Client) {
    let project = Project::with(files);
    let client = begun(&project, "explore");
    (project, client)
}

#[test]
fn errors_of_python_go_up_through_its_handlers() {
    let (_project, mut client) = asked(PYTHON);
    let mut of = |name: &str| errors(&mut client, &format!("shop/stock.py::{name}"));
    assert_eq!(of("sell"), ["Sold 8 sell"]);
    assert_eq!(of("caught"), Vec::<String>::new());
    assert_eq!(of("bare"), Vec::<String>::new());
    assert_eq!(of("other"), ["Sold 8 other > sell"]);
    assert_eq!(
        of("again"),
        ["Late 24 again", "ValueError 26 again", "AssertionError 11 again > Late.__init__", "Sold 8 again > sell"]
    );
    assert_eq!(of("suppressed"), Vec::<String>::new());
    assert_eq!(of("decoded"), Vec::<String>::new());
    assert_eq!(of("circle"), ["Sold 8 circle > sell"]);
    assert_eq!(of("held"), ["Late 68 held", "Sold 68 held", "AssertionError 11 held > Late.__init__"]);
    assert_eq!(of("called"), ["? value what 72"]);
    assert_eq!(of("read"), ["? library int 76"]);
}

#[test]
fn what_runs_later_or_by_another_name_is_followed_in_python() {
    let (_project, mut client) = asked(PYTHON);
    let mut of = |name: &str| errors(&mut client, &format!("shop/kinds.py::{name}"));
    assert_eq!(
        of("price_of"),
        [
            "NotImplementedError 6 price_of > Kind.price",
            "Late 15 price_of > Book.price",
            "AssertionError 11 price_of > Book.price > Late.__init__"
        ]
    );
    assert_eq!(of("rate_of"), ["Sold 10 rate_of > Kind.rate"]);
    let first = of("first");
    assert_eq!(first[..2], ["Sold 27 first > numbers".to_owned(), "? deferred numbers 33".to_owned()]);
    assert_eq!(of("taken"), ["~ yield 28"]);
    assert_eq!(of("waits"), ["AssertionError 11 waits > slow > Late.__init__"]);
    assert_eq!(of("made"), ["AssertionError 11 made > Late.__init__"]);
    assert_eq!(of("sized"), ["Sold 68 sized"], "of overloads the one that runs counts");
    assert_eq!(
        errors(&mut client, "shop/errors.py::Late"),
        ["AssertionError 11 Late > Late.__init__"],
        "where an object is made"
    );
}

#[test]
fn errors_of_scripts_go_up_through_their_handlers() {
    let (_project, mut client) = asked(SCRIPT);
    let mut of = |name: &str| errors(&mut client, &format!("src/stock.ts#{name}"));
    assert_eq!(of("sell"), ["Sold 4 sell"]);
    assert_eq!(of("caught"), ["Sold 4 caught > sell"], "the handler itself is not protected");
    assert_eq!(of("again"), ["Sold 4 again > sell"]);
    assert_eq!(of("quiet"), Vec::<String>::new());
    assert_eq!(of("slow"), ["string 32 slow"]);
    assert_eq!(of("waits"), Vec::<String>::new());
    assert_eq!(of("loose"), ["string 32 loose > slow", "? deferred slow 43"]);
    assert_eq!(of("handed"), ["string 32 handed > slow"]);
    assert_eq!(of("late"), ["RangeError 5 late > Late.constructor"]);
    assert_eq!(of("priceOf"), ["Late 59 priceOf > Book.price", "RangeError 5 priceOf > Book.price > Late.constructor"]);
    assert_eq!(of("rateOf"), ["object 60 rateOf > Book.rate"]);
    assert_eq!(of("each"), ["? value what 69"]);
    assert_eq!(of("rejected"), ["Sold 72 rejected"]);
}

#[test]
fn errors_of_contracts_are_those_of_all_that_runs() {
    let (_project, mut client) = asked(CONTRACTS);
    let mut of = |name: &str| errors(&mut client, &format!("src/Vault.sol:{name}"));
    assert_eq!(
        of("Vault.take"),
        ["Panic(0x01) 37 Vault.take", "NotOwner 15 Vault.take > Owned.onlyOwner", "Empty 32 Vault.take > Vault.check"]
    );
    assert_eq!(of("Vault"), ["Error(\"nothing\") 28 Vault.constructor"]);
    assert_eq!(of("Vault.paid"), ["~ decoding 41"]);
    assert_eq!(of("Vault.pays"), ["? external token.pay 47"]);
    assert_eq!(of("Vault.at"), ["~ index 51"]);
    assert_eq!(of("Vault.plain"), Vec::<String>::new());
    assert_eq!(of("Owned.check"), ["? abstract check 19"]);
}

#[test]
fn other_languages_are_refused_by_name() {
    let project = Project::with(&[("src/main.rs", "fn main() {}\n")]);
    let mut client = begun(&project, "explore");
    let refusal = refused(&mut client, "error_set", json!({"id": "src/main.rs::main"}));
    assert!(refusal.contains("Python, TypeScript, JavaScript and Solidity, not for rust"), "{refusal}");
}

#[test]
fn a_shell_sees_errors_too() {
    let project = Project::with(PYTHON);
    let set = project.run(&["errors", "shop/stock.py::sell", "--output", "json"]).json();
    assert_eq!((&set["complete"], &set["errors"][0]["error"]), (&json!(true), &json!("Sold")));
}

#[test]
fn a_file_is_analyzed_with_what_its_functions_raise() {
    let project = Project::with(PYTHON);
    let mut client = begun(&project, "explore,build");
    let found = said(&mut client, "analyze", json!({"path": "shop/stock.py"}));
    let stats = &found["stats"];
    assert_eq!(
        (&found["success"], &stats["functions_analyzed"]),
        (&json!(true), &stats["error_sets_computed"]),
        "{found}"
    );
    let of = |name: &str| {
        let target = format!("shop/stock.py::{name}");
        found["raising"].as_array().unwrap().iter().find(|one| one["target"] == target.as_str()).cloned()
    };
    let sell = of("sell").unwrap();
    assert_eq!((&sell["errors"], &sell["complete"]), (&json!(["Sold"]), &json!(true)), "{found}");
    assert_eq!(of("caught"), None, "{found}");
    assert!(refused(&mut client, "analyze", json!({"path": "nowhere.py"})).contains("`nowhere.py` does not exist"));
}
