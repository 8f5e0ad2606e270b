//! Which files a check looks at: those that imports and types lead to, and no others.

use std::collections::BTreeMap;

use lspwright::plan::{Level, Parts, Plan, Status, Verification};
use lspwright::session::Session;
use lspwright::text::{Span, TextEdit};
use lspwright::verify::{Check, verify};

use crate::support;

const PYTHON: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"jobs\"\nversion = \"0\"\n"),
    (
        "jobs/asked.py",
        "from typing import Protocol\n\n\nclass Runner(Protocol):\n    def run(self) -> None: ...\n\n\ndef go(runner: Runner) -> None:\n    runner.run()\n",
    ),
    (
        "jobs/job.py",
        "class Job:\n    def run(self) -> None:\n        steps = 1\n        print(steps)\n\n\ndef single(value: int) -> int:\n    return value\n\n\nlimit: float = 1\n",
    ),
    ("jobs/__init__.py", "from .job import Job as Job, single as single\n"),
    ("jobs/more.py", "def more(rate: float) -> int:\n    return 1\n"),
    ("more.py", "from jobs.more import more\n\nresult = more(1.5)\n"),
    ("use.py", "from jobs import Job\nfrom jobs.asked import go\n\ngo(Job())\n"),
    ("calls.py", "from jobs.job import single\n\nvalue = single(1)\n"),
    ("says.py", "# What `single` of the jobs does.\nsteps = 2\nrun = value = steps\n"),
    ("notes.py", "from jobs.job import Job  # not single\n\njob = Job()\n"),
];

const SCRIPT: &[(&str, &str)] = &[
    (
        "tsconfig.json",
        r#"{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" }, "include": ["src"] }"#,
    ),
    ("src/asked.ts", "export interface Runner { run(): void }\nexport function go(runner: Runner) { runner.run(); }\n"),
    (
        "src/job.ts",
        "export class Job { run() {} }\nexport function single(value: number) { const steps = value; return steps; }\n",
    ),
    ("src/index.ts", "export * from \"./job\";\n"),
    ("src/use.ts", "import { Job } from \"./index\";\nimport { go } from \"./asked\";\ngo(new Job());\n"),
    ("src/calls.ts", "import { single } from './index';\nexport const value = single(1);\n"),
    ("src/says.ts", "export const single = 1, run = 2, steps = 3;\n"),
];

/// Puts `new` in the place of `old` where it stands first in a file, as often as said, and checks that.
async fn checked(session: &Session, edits: &[(&str, &str, &str)]) -> Verification {
    let mut files = BTreeMap::new();
    for (path, old, new) in edits {
        let path = session.root().join(path).unwrap();
        let text = session.disk().read(&path).unwrap();
        let at = text.as_str().find(old).unwrap();
        let (_, list) = files.entry(path).or_insert_with(|| (text, Vec::new()));
        list.push(TextEdit::new(Span::new(at, at + old.len()), *new));
    }
    let plan = Plan::new(Parts { edits: files, ..Parts::default() }).unwrap();
    verify(session, &plan, &Check { level: Level::Diagnostics, ..Check::default() }).await
}

fn outcome(found: &Verification) -> (Status, usize, usize) {
    (found.status, found.files_looked_at, found.files_left_out)
}

#[test]
fn a_python_check_looks_where_types_can_come() {
    let project = support::project(PYTHON);
    support::block_on(async {
        let session = support::session(project.path());
        // A protocol asks for the old name, and `use.py` says neither.
        let found = checked(&session, &[("jobs/job.py", "run", "execute")]).await;
        assert_eq!(found.status, Status::Regressed, "{found:?}");
        assert!(found.new_problems.iter().all(|problem| problem.path.file_name() == "use.py"), "{found:?}");
        assert_eq!(found.files_looked_at, 5, "all that imports it: {found:?}");
        // A name of a module is asked for by name; in a comment, or without an import, it is not.
        let found = checked(&session, &[("jobs/job.py", "single", "only")]).await;
        let broken: Vec<&str> = found.new_problems.iter().map(|problem| problem.path.file_name()).collect();
        assert_eq!((broken.as_slice(), found.files_looked_at), (&["calls.py", "__init__.py"][..], 3), "{found:?}");
        // A function's own variable is nobody else's.
        let found = checked(&session, &[("jobs/job.py", "steps = 1\n        print(steps)", "print(1)")]).await;
        assert_eq!(outcome(&found), (Status::Clean, 1, 0), "{found:?}");
        // The parameters of a function that goes as a whole go with it.
        let gone = "def single(value: int) -> int:\n    return value\n";
        let found = checked(&session, &[("jobs/job.py", gone, "")]).await;
        assert_eq!((found.status, found.files_looked_at), (Status::Regressed, 3), "{found:?}");
        // Another type goes wherever imports lead.
        let found = checked(
            &session,
            &[("jobs/job.py", "-> int", "-> str"), ("jobs/job.py", "return value", "return str(value)")],
        );
        assert_eq!(outcome(&found.await), (Status::Clean, 5, 0));
        // So does what a function gives, though its text differs by that word alone.
        let given =
            checked(&session, &[("jobs/more.py", "-> int", "-> str"), ("jobs/more.py", "return 1", "return ''")]);
        assert_eq!(outcome(&given.await), (Status::Clean, 2, 0));
        // A method that comes is asked for by its name, of the class or of its objects; one that has an own kind of call is open.
        let comes = |mark: &str| format!("(steps)\n\n    @{mark}\n    def walk(*args: object) -> None: ...\n");
        let found = checked(&session, &[("jobs/job.py", "(steps)\n", &comes("staticmethod"))]).await;
        assert_eq!(outcome(&found), (Status::Clean, 1, 0), "{found:?}");
        let found = checked(&session, &[("jobs/job.py", "(steps)\n", &comes("print"))]).await;
        assert_eq!(outcome(&found), (Status::Clean, 5, 0), "{found:?}");
        // So does one that is said by a single word, which is no rename.
        let found = checked(&session, &[("jobs/job.py", "float", "int")]).await;
        assert_eq!(outcome(&found), (Status::Clean, 5, 0), "{found:?}");
        session.close().await;
    });
}

const CALLED_BESIDE: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"styles\"\nversion = \"0\"\n"),
    ("styles.py", "class Style:\n    def reset(self) -> None: ...\n\n    def draw(self) -> None: ...\n"),
    (
        "shapes.py",
        "from abc import ABC, abstractmethod\n\n\nclass Shape(ABC):\n    @abstractmethod\n    def draw(self) -> None: ...\n\n\ndef clear(style):\n    style.reset()\n",
    ),
    ("use.py", "from styles import Style\n\nprint(Style())\n"),
];

#[test]
fn a_method_is_looked_for_without_its_name_where_an_abstract_one_has_it() {
    let project = support::project(CALLED_BESIDE);
    support::block_on(async {
        let session = support::session(project.path());
        // A file with an abstract class calls it, and asks nobody for it.
        let found = checked(&session, &[("styles.py", "reset", "renew")]).await;
        assert_eq!(outcome(&found), (Status::Clean, 1, 0), "{found:?}");
        let found = checked(&session, &[("styles.py", "draw", "paint")]).await;
        assert_eq!(outcome(&found), (Status::Clean, 2, 0), "{found:?}");
        session.close().await;
    });
}

const OWN_FUNCTION: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"sums\"\nversion = \"0\"\n"),
    (
        "sums.py",
        "def _rated(price: int, rate: int) -> int:\n    return price * 2\n\n\ndef total(price: int):\n    return _rated(price, 1)\n",
    ),
    ("use.py", "from sums import total\n\nprint(total(1))\n"),
    ("end.py", "import use\n"),
];

/// What a function takes that its own module alone calls is nobody else's concern; what it gives may be.
#[test]
fn a_function_that_only_its_module_calls_is_looked_at_there() {
    let project = support::project(OWN_FUNCTION);
    support::block_on(async {
        let session = support::session(project.path());
        let call = ("sums.py", "_rated(price, 1)", "_rated(price)");
        let taken = checked(&session, &[("sums.py", ", rate: int", ""), call]).await;
        assert_eq!(outcome(&taken), (Status::Clean, 1, 0), "{taken:?}");
        let (of, value) = (("sums.py", "-> int", "-> str"), ("sums.py", "price * 2", "str(price)"));
        let given = checked(&session, &[("sums.py", ", rate: int", ""), call, of, value]).await;
        assert_eq!(outcome(&given), (Status::Clean, 3, 0), "{given:?}");
        session.close().await;
    });
}

const CALLED: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"keys\"\nversion = \"0\"\n"),
    ("keys.py", "def keyed(key: str, get: int) -> int:\n    return len(key) + get\n"),
    ("calls.py", "from keys import keyed\n\nvalue = keyed(\"a\", 1)\n"),
    ("names.py", "import calls\n\nget = calls.value\n"),
    ("box.py", "class Box:\n    def _fill(self, rate: int) -> None:\n        self.rate = rate\n"),
    ("asks.py", "from box import Box\n\nprint(Box().rate)\n"),
    ("end.py", "import names\n"),
];

/// What a function takes is the concern of those who call it, as long as nobody passes it on.
#[test]
fn a_function_that_is_only_called_is_looked_at_where_it_is_named() {
    let project = support::project(CALLED);
    support::block_on(async {
        let session = support::session(project.path());
        let named = [("keys.py", "get: int", "getter: int"), ("keys.py", "+ get", "+ getter")];
        assert_eq!(outcome(&checked(&session, &named).await), (Status::Clean, 2, 0));
        let taken = [("keys.py", ", get: int", ""), ("keys.py", " + get", ""), ("calls.py", ", 1)", ")")];
        assert_eq!(outcome(&checked(&session, &taken).await), (Status::Clean, 2, 0));
        let forgotten = checked(&session, &taken[..2]).await;
        assert_eq!((forgotten.status, forgotten.files_looked_at), (Status::Regressed, 2), "{forgotten:?}");
        let field = [("box.py", ", rate: int", ""), ("box.py", "self.rate = rate", "pass")];
        assert_eq!(checked(&session, &field).await.status, Status::Regressed, "others ask for the field");
        let passed = [("calls.py", "keyed(\"a\", 1)", "keyed"), named[0], named[1]];
        assert_eq!(outcome(&checked(&session, &passed).await), (Status::Clean, 4, 0));
        session.close().await;
    });
}

const CALLED_SCRIPT: &[(&str, &str)] = &[
    ("tsconfig.json", r#"{ "compilerOptions": { "strict": true, "allowJs": true, "checkJs": true, "noEmit": true } }"#),
    ("keys.ts", "export function keyed(key: string, get: number) {\n  return key.length + get;\n}\n"),
    ("index.ts", "export { keyed } from \"./keys\";\n"),
    ("calls.ts", "import { keyed } from \"./index\";\n\nexport const value = keyed(\"a\", 1);\n"),
    ("names.ts", "import * as calls from \"./calls\";\n\nexport const get = calls.value;\n"),
    ("end.ts", "import \"./names\";\n"),
];

/// In scripts, too, and by whatever way modules hand it out.
#[test]
fn a_function_of_a_script_that_is_only_called_is_looked_at_where_it_is_named() {
    let project = support::project(CALLED_SCRIPT);
    support::block_on(async {
        let session = support::session(project.path());
        let taken = [("keys.ts", ", get: number", ""), ("keys.ts", " + get", ""), ("calls.ts", ", 1)", ")")];
        assert_eq!(outcome(&checked(&session, &taken).await), (Status::Clean, 3, 0));
        let forgotten = checked(&session, &taken[..2]).await;
        assert_eq!((forgotten.status, forgotten.files_looked_at), (Status::Regressed, 3), "{forgotten:?}");
        let given = [("keys.ts", "return key.length + get", "return key + get")];
        assert_eq!(outcome(&checked(&session, &given).await), (Status::Clean, 5, 0), "it gives another type");
        let passed = [("calls.ts", "keyed(\"a\", 1)", "keyed"), taken[0], taken[1]];
        assert_eq!(outcome(&checked(&session, &passed).await), (Status::Clean, 5, 0));
        session.close().await;
    });
}

const PATCHED: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"prices\"\nversion = \"0\"\n"),
    ("rounding.py", "def up(price: float) -> int:\n    return round(price)\n\n\ndown = near = up\n"),
    (
        "prices.py",
        "from rounding import down, near, up\n\n\ndef shown(price: float) -> int:\n    return up(price) + down(price) + near(price)\n",
    ),
    ("test_prices.py", "from unittest import mock\n\nwith mock.patch(\"prices.down\"):\n    pass\n"),
    ("near.py", "from prices import near as it\n\nprint(it(1.5))\n"),
];

/// An import that others take from the module, or that a test puts something in the place of, stays, used there or not.
#[test]
fn an_import_that_others_ask_for_may_be_unused() {
    let project = support::project(PATCHED);
    support::block_on(async {
        let session = support::session(project.path());
        let found = checked(&session, &[("prices.py", " + down(price) + near(price)", "")]).await;
        assert_eq!(found.status, Status::Clean, "{found:?}");
        let found = checked(&session, &[("prices.py", "up(price) + ", "")]).await;
        assert_eq!(found.status, Status::Regressed, "{found:?}");
        session.close().await;
    });
}

const IMPORTED: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"0\"\n"),
    ("rounding.py", "def up(price: float) -> int:\n    return round(price)\n"),
    ("shop/__init__.py", "from . import prices\n"),
    ("shop/prices.py", "from rounding import up\n\nrate = 1\nprint(rate)\n"),
    ("shop/all.py", "from shop.prices import *\n"),
    ("taker.py", "import shop.prices\n\nprint(up := 1, shop.prices.rate)\n"),
    ("own.py", "import taker\nfrom rounding import up\n\nprint(up(1.5), taker)\n"),
];

/// What a module only imports is taken from it by who imports it, or asks some object for it; who says the name and has it
/// from elsewhere is not looked at.
#[test]
fn an_import_that_goes_is_looked_for_where_it_can_be_taken() {
    let ways = [
        ("print(rate)", Status::Clean, 2),
        ("from shop.prices import up; print(up)", Status::Regressed, 3),
        ("from shop.all import up; print(up)", Status::Regressed, 3),
        ("import shop; print(shop.prices.up)", Status::Regressed, 3),
        ("from shop import prices as it; print(it.up)", Status::Regressed, 3),
    ];
    for (way, status, looked_at) in ways {
        let user = format!("rate = 2\n{way}\n");
        let project = support::project(&[IMPORTED, &[("use.py", user.as_str())]].concat());
        support::block_on(async {
            let session = support::session(project.path());
            let found = checked(&session, &[("shop/prices.py", "from rounding import up\n\n", "")]).await;
            assert_eq!((found.status, found.files_looked_at), (status, looked_at), "{way}: {found:?}");
            session.close().await;
        });
    }
}

const DOCUMENTED: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"0\"\n"),
    (
        "shop/totals.py",
        "def total(price: int, unit: str = \"cm\") -> int:\n    \"\"\"Adds up...\n\n    unit: shown -> never.\n    \"\"\"\n    return price\n\n\ndef twice(price: int):\n    from shop.rates import rate\n\n    return rate(price)\n",
    ),
    ("shop/__init__.py", ""),
    ("shop/rates.py", "from shop.more import rate as rate\n"),
    ("shop/more.py", "def rate(price: int) -> int:\n    return price\n"),
    ("says.py", "from shop.totals import total\n\nprint(total(1))\n"),
    ("takes.py", "from shop.totals import twice\n\nprint(twice(1))\n"),
];

/// What is written of a declaration is none of its type; nor is from where a function takes what it asks for.
#[test]
fn what_a_function_says_of_itself_is_none_of_its_type() {
    let project = support::project(DOCUMENTED);
    support::block_on(async {
        let session = support::session(project.path());
        let edits =
            [("shop/totals.py", ", unit: str = \"cm\"", ""), ("shop/totals.py", "\n\n    unit: shown -> never.", "")];
        assert_eq!(outcome(&checked(&session, &edits).await), (Status::Clean, 2, 0));
        let found = checked(&session, &[("shop/totals.py", "from shop.rates", "from shop.more")]).await;
        assert_eq!(outcome(&found), (Status::Clean, 1, 0));
        // The name that it takes is another one.
        let found = checked(
            &session,
            &[("shop/totals.py", "import rate\n\n    return", "import rate as it\n\n    return str")],
        )
        .await;
        assert_eq!((found.status, found.files_looked_at), (Status::Regressed, 3), "{found:?}");
        session.close().await;
    });
}

const MEMBERS: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"orders\"\nversion = \"0\"\n"),
    ("orders.py", "class Order:\n    def total(self) -> int:\n        return 1\n"),
    ("user.py", "from orders import Order\n\nprint(Order().total())\n"),
    ("heir.py", "from orders import Order\n\n\nclass Large(Order):\n    def total(self) -> int:\n        return 2\n"),
    ("module.py", "from orders import Order\n\ntotal = Order()\n"),
    (
        "local.py",
        "from orders import Order\n\n\ndef shown(total: Order) -> Order:\n    # The total.\n    return total\n",
    ),
];

/// A variable of a function that is called like a member is none.
#[test]
fn a_member_is_looked_for_where_it_can_be_one() {
    let project = support::project(MEMBERS);
    support::block_on(async {
        let session = support::session(project.path());
        let found = checked(&session, &[("orders.py", "total", "price")]).await;
        let broken: Vec<&str> = found.new_problems.iter().map(|problem| problem.path.file_name()).collect();
        assert_eq!((broken.as_slice(), found.files_looked_at), (&["user.py"][..], 4), "{found:?}");
        session.close().await;
    });
}

const CALLBACKS: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"calls\"\nversion = \"0\"\n"),
    (
        "calls/asked.py",
        "from typing import Protocol\n\n\nclass Done(Protocol):\n    def __call__(self, result: int) -> None: ...\n",
    ),
    ("calls/__init__.py", ""),
    ("run.py", "from calls.asked import Done\n\n\ndef run(done: Done) -> None:\n    done(1)\n"),
    ("end.py", "def finish(result: int) -> None:\n    print(result)\n"),
    ("main.py", "from end import finish\nfrom run import run\n\nrun(finish)\n"),
];

/// The file that passes the function says nothing of its parameter.
#[test]
fn a_parameter_that_a_protocol_asks_for_is_looked_at_where_the_function_is_passed() {
    let project = support::project(CALLBACKS);
    support::block_on(async {
        let session = support::session(project.path());
        let of_protocol = checked(&session, &[("calls/asked.py", "result", "value")]).await;
        assert_eq!(of_protocol.status, Status::Regressed, "{of_protocol:?}");
        let of_function =
            checked(&session, &[("end.py", "result: int", "value: int"), ("end.py", "(result)", "(value)")]).await;
        assert_eq!(of_function.status, Status::Regressed, "{of_function:?}");
        session.close().await;
    });
}

#[test]
fn a_script_check_looks_where_types_can_come() {
    let project = support::project(SCRIPT);
    support::block_on(async {
        let session = support::session(project.path());
        let found = checked(&session, &[("src/job.ts", "run", "execute")]).await;
        assert_eq!(found.status, Status::Regressed, "{found:?}");
        assert!(found.new_problems.iter().all(|problem| problem.path.file_name() == "use.ts"), "{found:?}");
        assert_eq!(found.files_looked_at, 4, "{found:?}");
        let found = checked(&session, &[("src/job.ts", "single", "only")]).await;
        assert_eq!((found.status, found.files_looked_at), (Status::Regressed, 2), "{found:?}");
        let found = checked(&session, &[("src/job.ts", "const steps = value; return steps;", "return value;")]).await;
        assert_eq!(outcome(&found), (Status::Clean, 1, 0), "{found:?}");
        session.close().await;
    });
}

/// A function of a script of CommonJS that comes from another module now: nothing of what the module offers is another thing.
#[test]
fn what_a_script_requires_is_imported() {
    let project = support::project(&[
        ("package.json", r#"{ "name": "rules", "version": "1.0.0" }"#),
        ("tsconfig.json", r#"{ "compilerOptions": { "allowJs": true, "checkJs": true, "noEmit": true } }"#),
        ("lib/utils.js", "exports.reachable = (/** @type {number} */ it) => it > 0;\n"),
        (
            "lib/rule.js",
            "const { join } = require(\"path\");\n\nfunction reachable(it) {\n  return it > 0;\n}\n\nmodule.exports = { create: () => reachable(join(\"\").length) };\n",
        ),
        ("lib/index.js", "exports.rule = require(\"./rule\");\n"),
        ("main.js", "const { rule } = require(\"./lib\");\nrule.create();\n"),
    ]);
    support::block_on(async {
        let session = support::session(project.path());
        let import = "const { join } = require(\"path\");\nconst { reachable } = require(\"./utils\");\n";
        let edits = [
            ("lib/rule.js", "const { join } = require(\"path\");\n", import),
            ("lib/rule.js", "function reachable(it) {\n  return it > 0;\n}\n\n", ""),
        ];
        let found = checked(&session, &edits).await;
        assert_eq!(outcome(&found), (Status::Clean, 1, 0), "{found:?}");
        session.close().await;
    });
}

#[test]
fn the_same_plan_is_checked_to_the_same_end() {
    let project = support::project(SCRIPT);
    support::block_on(async {
        let session = support::session(project.path());
        let plans = [("run", "execute"), ("single", "only"), ("steps", "count")];
        let mut first = Vec::new();
        for round in 0..4 {
            for (at, (old, new)) in plans.iter().enumerate() {
                let found = checked(&session, &[("src/job.ts", old, new)]).await;
                if round == 0 {
                    first.push(found);
                } else {
                    assert_eq!(found, first[at]);
                }
            }
        }
        session.close().await;
    });
}
