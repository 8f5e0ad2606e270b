"""Does three jobs of an agent in a package over MCP, by lspwright and by serena, and counts calls, tokens and what came of it.

    python compare.py LSPWRIGHT SERENA PACKAGE DIRECTORY PROGRAMS TOKENS 2>SAID

PACKAGE is `click` (8.1.8), `rxjs` (the branch 7.x) or `openzeppelin` (contracts 5.4.0), DIRECTORY its source in a git repository of
its own, SERENA the program `serena` (PyPI `serena-agent`), TOKENS a directory whose `node_modules` hold `js-tiktoken`. PROGRAMS is
a directory of programs that run the tests and check the types:

- click: the `bin` of a virtual environment with click installed from DIRECTORY (`pip install -e`), pytest, mypy, and uv for serena;
- rxjs: `node_modules/.bin` of DIRECTORY (`npm ci --ignore-scripts`);
- openzeppelin: forge and a solc 0.8.27. DIRECTORY has its `lib/forge-std`, `lib/halmos-cheatcodes` and `lib/erc4626-tests`, and
  serena is told what it is written in (`serena project create DIRECTORY --ls solidity`).

A job is done if the tests end as before, the checker finds no more than before, and the text is what was meant: the new function
is there, nothing has the old name (but changelogs and pages), the mended file is as it was before the bug. Everything is taken
back after each job. What was said and answered goes to standard error.
"""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

LSPWRIGHT, SERENA, PACKAGE, DIRECTORY, PROGRAMS, TOKENS = sys.argv[1:]
OURS = ["serve", "--project", DIRECTORY, "--toolsets", "explore,write,build", "--trust-project"]
THEIRS = ["start-mcp-server", "--project", DIRECTORY, "--enable-web-dashboard", "false", "--context", "codex"]
COUNT = """
const encoding = require(process.argv[1] + "/node_modules/js-tiktoken").getEncoding("o200k_base");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(texts.reduce((all, text) => all + encoding.encode(text, "all").length, 0));
"""


@dataclass
class Add:
    """A function that is added after another, `gap` from its neighbours."""

    path: str
    after: str
    text: str
    gap: str = "\n\n"
    indent: str = ""


@dataclass
class Rename:
    path: str
    owner: str
    old: str
    new: str


@dataclass
class Fix:
    """An error in a function, tests that find it, and how a shell runs them."""

    path: str
    function: str
    good: str
    bad: str
    tests: str
    filter: str
    command: str


@dataclass
class Package:
    add: Add
    rename: Rename
    fix: Fix
    tests: list
    checks: list
    environment: dict = field(default_factory=dict)


CLICK = Package(
    Add("src/click/termui.py", "unstyle", gap="\n\n\n", text='''\
def is_styled(text: str) -> bool:
    """Tells whether a text has ANSI styles."""
    return unstyle(text) != text'''),
    Rename("src/click/types.py", "ParamType", "get_metavar", "metavar_of"),
    Fix("src/click/termui.py", "_build_prompt", "[{_format_default(default)}]", "({_format_default(default)})",
        "tests/test_termui.py", "prompt", "python -m pytest -q tests/test_termui.py -k prompt"),
    # Those left out are not about what the jobs do, and fail with newer versions of what they need.
    ["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--ignore=tests/test_basic.py", "--ignore=tests/test_imports.py",
     "--ignore=tests/typing", "tests"],
    ["mypy", "--no-pretty", "src/click"],
    {"VIRTUAL_ENV": str(Path(PROGRAMS).parent)},
)
RXJS = Package(
    Add("src/internal/util/args.ts", "popScheduler", """\
export function popFunction(args: any[]): ((...args: any[]) => any) | undefined {
  return isFunction(last(args)) ? args.pop() : undefined;
}"""),
    Rename("src/internal/scheduler/AsyncAction.ts", "AsyncAction", "recycleAsyncId", "releaseAsyncId"),
    Fix("src/internal/operators/take.ts", "take", "++seen <= count", "++seen < count", "spec/operators/take-spec.ts", "take",
        "npx mocha --config spec/support/.mocharc.js spec/operators/take-spec.ts"),
    # Most of the others look at the clock, and fail on a machine that has other work.
    ["mocha", "--config", "spec/support/.mocharc.js", "spec/operators/take*-spec.ts", "spec/operators/concat*-spec.ts",
     "spec/schedulers/*-spec.ts", "spec/util/*-spec.ts"],
    ["tsc", "-p", ".git/check.json"],
    {"TS_NODE_PROJECT": "tsconfig.mocha.json"},
)
# What has to do with the jobs: all of it compiles for minutes.
COMPILED = ["forge", "test", "--contracts", "contracts/governance", "--match-path", "test/{governance,utils/math}/**"]
OPENZEPPELIN = Package(
    Add("contracts/utils/math/Math.sol", "Math/average", indent="    ", text="""\
/**
 * @dev Returns the distance between two numbers.
 */
function distance(uint256 a, uint256 b) internal pure returns (uint256) {
    return max(a, b) - min(a, b);
}"""),
    Rename("contracts/governance/Governor.sol", "Governor", "_quorumReached", "_quorumMet"),
    Fix("contracts/utils/math/Math.sol", "Math/ceilDiv", "((a - 1) / b + 1)", "((a - 1) / b)", "test/utils/math/Math.t.sol",
        "testCeilDiv", "forge test --match-path test/utils/math/Math.t.sol --match-test testCeilDiv"),
    COMPILED,
    COMPILED,
    {"FOUNDRY_SOLC": f"{PROGRAMS}/solc", "FOUNDRY_OFFLINE": "true", "FOUNDRY_FUZZ_RUNS": "256", "FOUNDRY_INVARIANT_RUNS": "8"},
)
JOBS = {"click": CLICK, "rxjs": RXJS, "openzeppelin": OPENZEPPELIN}[PACKAGE]
ENVIRONMENT = {**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "LSPWRIGHT_DAEMON": "never", **JOBS.environment}
# rxjs has no project of TypeScript that holds the sources and their tests, and nothing else.
CHECKED = {"extends": "../tsconfig.json", "compilerOptions": {"incremental": False},
           "include": ["../src/**/*.ts", "../spec/**/*.ts"]}


def git(*words, may_end=(0,)):
    done = subprocess.run(["git", *words], cwd=DIRECTORY, capture_output=True, text=True)
    assert done.returncode in may_end, done.stderr
    return done.stdout


def said_by(command):
    done = subprocess.run(command, cwd=DIRECTORY, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return re.sub(r"\x1b\[[\d;]*m", "", done.stdout)


def tested(expected=None):
    """How many tests passed and failed, by the last counts that the runner says; nothing where none ran.

    Some look at the clock: what is not as expected is asked again, twice.
    """
    for _ in range(3):
        counts = re.findall(r"(\d+) (?:tests )?(pass|fail)(?:ed|ing)\b", said_by(JOBS.tests))
        ended = {what: int(count) for count, what in counts if count != "0"}
        if expected in (None, ended):
            break
    return ended


def found():
    """What the checker finds, without the places, which change."""
    return re.findall(r": error: .*| error TS\d+: .*|^Error \(\d+\): .*", said_by(JOBS.checks), re.MULTILINE)


def tokens(texts):
    counted = subprocess.run(["node", "-e", COUNT, TOKENS], input=json.dumps(texts), capture_output=True, text=True, check=True)
    return int(counted.stdout)


class Client:
    """An MCP client that remembers what was said."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, cwd=DIRECTORY, env=ENVIRONMENT, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number, self.said = 0, []
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "workflows", "version": "1"}}
        self.request("initialize", hello)
        self.send({"method": "notifications/initialized"})
        self.tools = json.dumps(self.request("tools/list", {})["tools"])

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.number and "method" not in message:
                return message["result"]

    def call(self, tool, **arguments):
        call = {"name": tool, "arguments": arguments}
        answer = self.request("tools/call", call)["content"][0]["text"]
        self.said.append((json.dumps(call), answer))
        print(f"{type(self).__name__}: {self.said[-1][0]}\n{answer}\n", file=sys.stderr, flush=True)
        return answer


class Lspwright(Client):
    def __init__(self):
        super().__init__([LSPWRIGHT, *OURS])
        self.manual = [self.tools]

    def add(self, job):
        *_, name = job.after.split("/")
        self.call("find_declaration", name=name)
        position = f"after:{job.path}::{job.after.replace('/', '::')}"
        self.call("add_declaration", path=job.path, source=job.text, position=position)
        self.call("save")

    def rename(self, job):
        self.call("find_declaration", name=job.old)
        self.call("rename_declaration", id=f"{job.path}::{job.owner}::{job.old}", new_name=job.new)
        self.call("save")

    def fix(self, job):
        function = f"{job.path}::{job.function.replace('/', '::')}"
        self.call("get_source", id=function)
        self.call("edit_source", id=function, old=job.bad, new=job.good)
        self.call("save")
        self.call("test", path=job.tests, filter=job.filter)


class Serena(Client):
    def __init__(self):
        super().__init__([SERENA, *THEIRS])
        instructions = self.call("initial_instructions")
        self.session = re.search(r"session id is `(\w+)`", instructions).group(1)
        self.manual = [self.tools, instructions, self.run('s.info("lsp", "edit", "shell")')]
        self.said.clear()

    def run(self, code):
        return self.call("serena_repl", session=self.session, code=code)

    def add(self, job):
        self.run(f's.lsp.find_symbol("{job.after}")')
        body = textwrap.indent(job.text, job.indent) + "\n"
        self.run(f's.edit.insert_after_symbol(name_path="{job.after}", relative_path="{job.path}", body={body!r})')

    def rename(self, job):
        symbol = f"{job.owner}/{job.old}"
        self.run(f's.lsp.find_symbol("{symbol}")')
        self.run(f's.lsp.rename_symbol(name_path="{symbol}", relative_path="{job.path}", new_name="{job.new}")')

    def fix(self, job):
        self.run(f's.lsp.find_symbol("{job.function}", include_body=True)')
        self.run(f's.edit.replace_content("{job.path}", needle="{job.bad}", repl="{job.good}", mode="literal")')
        self.run(f's.shell.execute_shell_command("{job.command}")')


def put_in(bug):
    file = Path(DIRECTORY, bug.path)
    text = file.read_text()
    assert text.count(bug.good) == 1 and bug.bad not in text.replace(bug.good, "")
    file.write_text(text.replace(bug.good, bug.bad))
    git("commit", "-qam", "a bug")


def lacking(name, job, begin):
    """What the text lacks of what was meant, and what is no more than its looks."""
    if name == "add":
        text = Path(DIRECTORY, job.path).read_text()
        meant = job.gap + textwrap.indent(job.text, job.indent) + job.gap
        there = " ".join(meant.split()) in " ".join(text.split())
        return "the function" * (not there), "other blanks" * (meant not in text)
    if name == "rename":
        # It ends with 1 where there are none.
        places = git("grep", "-nw", job.old, "--", ":!*.md", ":!*.rst", may_end=(0, 1)).count("\n")
        return f"{places} with the old name" if places else "", ""
    return git("diff", begin) and "not as before the bug", ""


def judged(name, job, before, begin):
    """What became of the tests, how much more the checker finds, and whether the job is done."""
    (was_tested, was_found), (ended, errors) = before, (tested(before[0]), found())
    more = (Counter(errors) - Counter(was_found)).total()
    tests = ", ".join(f"{count} {what}" for what, count in ended.items()) or "do not run"
    lack, looks = lacking(name, job, begin)
    lacks = [lack, "tests" * (ended != was_tested), "types" * (more > 0)]
    done = f"no: {', '.join(filter(None, lacks))}" if any(lacks) else f"yes, {looks}" if looks else "yes"
    return [tests, more, done]


def main():
    begin = git("rev-parse", "HEAD").strip()
    Path(DIRECTORY, ".git/check.json").write_text(json.dumps(CHECKED))
    before = tested(), found()
    print(f"{PACKAGE}: {before[0]}, {len(before[1])} findings before\n")
    read = {}
    print("| job | by | calls | tokens | files | lines | tests | new errors | done |\n|---|---|---|---|---|---|---|---|---|")
    for kind in [Lspwright, Serena]:
        client = kind()
        for name in ["add", "rename", "fix"]:
            job = getattr(JOBS, name)
            if name == "fix":
                put_in(job)
            getattr(client, name)(job)
            numbers = git("diff", "--numstat").split("\n")
            changed = [line.split("\t") for line in numbers if line]
            lines = sum(int(added) for added, _, _ in changed)
            spent = tokens([text for call in client.said for text in call])
            row = [name, kind.__name__.lower(), len(client.said), spent, len(changed), lines, *judged(name, job, before, begin)]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
            client.said.clear()
            git("reset", "-q", "--hard", begin)
        read[kind.__name__.lower()] = tokens(client.manual)
        client.process.stdin.close()
    print("\ntokens that are read before the first call:", ", ".join(f"{count} by {name}" for name, count in read.items()))


main()
