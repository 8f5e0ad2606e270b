"""Does three jobs of an agent in click over MCP, by lspwright and by serena, and counts calls, tokens and what came of it.

    python compare.py LSPWRIGHT SERENA CLICK ENVIRONMENT TOKENS

CLICK is a source package of click 8.1.8 in a git repository of its own, ENVIRONMENT a virtual environment with pytest and with
click installed from there (`pip install -e`), SERENA the program `serena` (PyPI `serena-agent`), TOKENS a directory whose
`node_modules` hold `js-tiktoken`. Everything is taken back after each job.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

LSPWRIGHT, SERENA, CLICK, ENVIRONMENT, TOKENS = sys.argv[1:]
OURS = ["serve", "--project", CLICK, "--toolsets", "explore,write,build", "--trust-project"]
THEIRS = ["start-mcp-server", "--project", CLICK, "--enable-web-dashboard", "false", "--context", "codex"]
COUNT = """
const encoding = require(process.argv[1] + "/node_modules/js-tiktoken").getEncoding("o200k_base");
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(texts.reduce((all, text) => all + encoding.encode(text, "all").length, 0));
"""
ADDED = '''def is_styled(text: str) -> bool:
    """Tells whether a text has ANSI styles."""
    return unstyle(text) != text'''
# Neither is about what the jobs do, and both fail with newer versions of what they need.
LEFT_OUT = ["--ignore=tests/test_basic.py", "--ignore=tests/test_imports.py", "--ignore=tests/typing"]


def git(*words):
    return subprocess.run(["git", *words], cwd=CLICK, capture_output=True, text=True, check=True).stdout


def tested(*words):
    """What pytest says last."""
    command = [f"{ENVIRONMENT}/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *LEFT_OUT, *words]
    return subprocess.run(command, cwd=CLICK, capture_output=True, text=True).stdout.strip().split("\n")[-1]


def tokens(texts):
    counted = subprocess.run(["node", "-e", COUNT, TOKENS], input=json.dumps(texts), capture_output=True, text=True, check=True)
    return int(counted.stdout)


class Client:
    """An MCP client that remembers what was said."""

    def __init__(self, command):
        path = f"{ENVIRONMENT}/bin:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "VIRTUAL_ENV": ENVIRONMENT, "LSPWRIGHT_DAEMON": "never"}
        self.process = subprocess.Popen(command, cwd=CLICK, env=environment, text=True, stdin=subprocess.PIPE,
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
        return answer


class Lspwright(Client):
    def __init__(self):
        super().__init__([LSPWRIGHT, *OURS])
        self.manual = [self.tools]

    def add(self):
        self.call("find_declaration", name="unstyle")
        self.call("add_declaration", path="src/click/termui.py", source=ADDED, position="after:src/click/termui.py::unstyle")
        self.call("save")

    def rename(self):
        self.call("find_declaration", name="get_metavar")
        self.call("rename_declaration", id="src/click/types.py::ParamType::get_metavar", new_name="metavar_of")
        self.call("save")

    def fix(self):
        prompt = "src/click/termui.py::_build_prompt"
        self.call("get_source", path="src/click/termui.py", id=prompt)
        self.call("edit_source", id=prompt, old="({_format_default(default)})", new="[{_format_default(default)}]")
        self.call("save")
        self.call("test", path="tests/test_termui.py", filter="prompt")


class Serena(Client):
    def __init__(self):
        super().__init__([SERENA, *THEIRS])
        instructions = self.call("initial_instructions")
        self.session = re.search(r"session id is `(\w+)`", instructions).group(1)
        self.manual = [self.tools, instructions, self.run('s.info("lsp", "edit", "shell")')]
        self.said.clear()

    def run(self, code):
        return self.call("serena_repl", session=self.session, code=code)

    def add(self):
        self.run('s.lsp.find_symbol("unstyle")')
        place = 'name_path="unstyle", relative_path="src/click/termui.py"'
        self.run(f"s.edit.insert_after_symbol({place}, body={ADDED + chr(10)!r})")

    def rename(self):
        self.run('s.lsp.find_symbol("ParamType/get_metavar")')
        place = 'name_path="ParamType/get_metavar", relative_path="src/click/types.py"'
        self.run(f's.lsp.rename_symbol({place}, new_name="metavar_of")')

    def fix(self):
        self.run('s.lsp.find_symbol("_build_prompt", include_body=True)')
        words = 'needle="({_format_default(default)})", repl="[{_format_default(default)}]", mode="literal"'
        self.run(f's.edit.replace_content("src/click/termui.py", {words})')
        self.run('s.shell.execute_shell_command("python -m pytest -q tests/test_termui.py -k prompt")')


def break_prompt():
    file = Path(CLICK, "src/click/termui.py")
    text = file.read_text()
    file.write_text(text.replace("[{_format_default(default)}]", "({_format_default(default)})"))
    git("commit", "-qam", "a bug")


def main():
    begin = git("rev-parse", "HEAD").strip()
    read = {}
    print("| job | by | calls | tokens | files | lines | tests |\n|---|---|---|---|---|---|---|")
    for kind in [Lspwright, Serena]:
        client = kind()
        for job in ["add", "rename", "fix"]:
            if job == "fix":
                break_prompt()
            getattr(client, job)()
            numbers = git("diff", "--numstat").split("\n")
            changed = [line.split("\t") for line in numbers if line]
            lines = sum(int(added) for added, _, _ in changed)
            spent = tokens([text for call in client.said for text in call])
            row = [job, kind.__name__.lower(), len(client.said), spent, len(changed), lines, tested("tests")]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
            client.said.clear()
            git("reset", "-q", "--hard", begin)
        read[kind.__name__.lower()] = tokens(client.manual)
        client.process.stdin.close()
    print("\ntokens that are read before the first call:", ", ".join(f"{count} by {name}" for name, count in read.items()))


main()
