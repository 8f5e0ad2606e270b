"""Compares the renames of a warm server, beneath which files change, with those of one that has just started.

    python compare.py LSPWRIGHT PROJECT SEED ROUNDS

A copy of PROJECT is changed from outside in so many rounds, at random: a file is moved or a name renamed by another process, an
earlier state is checked out, a file is deleted and comes back, a module is written after a file that imports it. After each change
renames are asked of the warm server and, of the same text, of a new one. They have to make the same edits, or both to refuse.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUFFIXES = (".ts", ".tsx", ".js", ".mjs", ".cjs", ".py")
SKIPPED = {".git", "node_modules", "__pycache__"}
DECLARED = re.compile(r"^(?:export )?(?:default )?(?:async )?(?:abstract )?(?:function|class|const|interface|def|type) (\w+)"
                      r"|^ {2,4}(?:async |def )?(\w+)\(", re.MULTILINE)
WORDS = {"if", "for", "while", "switch", "return", "constructor", "super", "print", "catch", "__init__", "function"}


class Project:
    def __init__(self, binary, source, seed):
        self.binary, self.random = os.path.abspath(binary), random.Random(seed)
        self.above = tempfile.TemporaryDirectory()
        # Where projects usually lie: some servers watch nothing right below the root.
        self.root = Path(os.path.realpath(self.above.name), "home", "project")
        shutil.copytree(source, self.root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self.environment = {**os.environ, "LSPWRIGHT_DAEMON": "never", "XDG_STATE_HOME": f"{self.above.name}/state"}
        self.git("init", "-q")
        self.keep()
        command = [self.binary, "serve", "--project", str(self.root)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, env=self.environment)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "freshness", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def git(self, *words):
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@localhost", *words]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True).stdout

    def keep(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "a state")

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.number and "method" not in message:
                return message["result"]

    def warm(self, place, new_name):
        path, line, character = place
        arguments = {"filePath": str(path), "line": line, "character": character, "newName": new_name}
        answer = self.ask("tools/call", {"name": "planRenameSymbol", "arguments": arguments})
        return answer.get("structuredContent") or json.loads(answer["content"][0]["text"])

    def run(self, *words):
        command = [self.binary, "--project", str(self.root), *map(str, words)]
        return subprocess.run(command, cwd=self.root, capture_output=True, text=True, env=self.environment).stdout

    def cold(self, place, new_name):
        path, line, character = place
        said = self.run("--output", "json", "rename", f"{path}:{line + 1}:{character + 1}", new_name)
        return json.loads(said) if said else {}

    def sources(self):
        found = []
        for directory, inner, files in os.walk(self.root):
            inner[:] = [name for name in inner if name not in SKIPPED]
            found += [Path(directory, name) for name in files if name.endswith(SUFFIXES) and not name.endswith(".d.ts")]
        return sorted(found)

    def directory(self):
        return self.random.choice(sorted({path.parent for path in self.sources()}))

    def declarations(self):
        found = []
        for path in self.sources():
            text = path.read_text(encoding="utf-8", errors="replace")
            for match in DECLARED.finditer(text):
                group = 1 if match[1] else 2
                if match[group] not in WORDS:
                    before = text[:match.start(group)]
                    found.append(((path, before.count("\n"), len(before) - before.rfind("\n") - 1), match[group]))
        return found


def edits(plan):
    """What a plan does; nothing where it is refused."""
    files = plan.get("edits")
    return files and sorted((file["filePath"], sorted(json.dumps(edit, sort_keys=True) for edit in file["textEdits"])) for file in files)


class Trial:
    def __init__(self, project):
        self.project, self.same, self.different = project, 0, 0

    def compare(self, what, place, name):
        warm, cold = self.project.warm(place, f"{name}_new"), self.project.cold(place, f"{name}_new")
        if edits(warm) == edits(cold):
            self.same += 1
            return
        self.different += 1
        told = [[os.path.relpath(file, self.project.root) for file, _ in edits(plan) or []] for plan in (warm, cold)]
        print(f"{what}: {os.path.relpath(place[0], self.project.root)}:{place[1] + 1} {name}: warm {told[0]}, cold {told[1]}", flush=True)

    def some(self, what, count):
        all_of_them = self.project.declarations()
        for place, name in self.project.random.sample(all_of_them, min(count, len(all_of_them))):
            self.compare(what, place, name)

    def round(self, number):
        kind = self.project.random.choice([self.moved, self.renamed, self.checked_out, self.deleted, self.late, self.late])
        kind(number)
        self.some(kind.__name__, 2)

    def moved(self, number):
        path = self.project.random.choice(self.project.sources())
        self.project.run("move", path, self.project.directory() / f"moved{number}{path.suffix}", "--apply", "--force")
        self.project.keep()

    def renamed(self, number):
        (path, line, character), name = self.project.random.choice(self.project.declarations())
        self.project.run("rename", f"{path}:{line + 1}:{character + 1}", f"{name}{number}", "--apply")

    def checked_out(self, _number):
        self.project.keep()
        self.project.git("checkout", "-q", self.project.random.choice(self.project.git("log", "--all", "--format=%h").split()))

    def deleted(self, _number):
        path = self.project.random.choice(self.project.sources())
        text = path.read_text(encoding="utf-8")
        path.unlink()
        self.some("while a file is away", 1)
        path.write_text(text, encoding="utf-8")

    def late(self, number):
        user = self.project.random.choice(self.project.sources())
        module = self.project.directory() / f"late{number}{user.suffix}"
        imported, declared = late(user, module, number, self.project.root)
        with user.open("a", encoding="utf-8") as file:
            file.write(imported)
        self.some("before a module comes", 1)
        module.write_text(declared, encoding="utf-8")
        self.compare("a module that came late", (module, 0, declared.index("made")), f"made{number}")


def late(user, module, number, root):
    """What a file says to import a function, and the module that declares it."""
    if user.suffix == ".py":
        name = ".".join(module.with_suffix("").relative_to(root).parts)
        return f"\nfrom {name} import made{number}\n\nmade{number}()\n", f"def made{number}():\n    return 1\n"
    path = os.path.relpath(module.with_suffix(""), user.parent)
    path = path if path.startswith(".") else f"./{path}"
    if user.suffix == ".cjs" or "require(" in user.read_text(encoding="utf-8"):
        declared = f"function made{number}() {{\n  return 1;\n}}\nmodule.exports = {{ made{number} }};\n"
        return f'\nconst {{ made{number} }} = require("{path}{user.suffix}");\nmade{number}();\n', declared
    return (f'\nimport {{ made{number} }} from "{path}.js";\nmade{number}();\n',
            f"export function made{number}() {{\n  return 1;\n}}\n")


def main():
    binary, source, seed, rounds = sys.argv[1:]
    trial = Trial(Project(binary, source, int(seed)))
    trial.some("at first", 3)
    for number in range(int(rounds)):
        trial.round(number)
    trial.project.process.kill()
    print(f"{os.path.basename(os.path.realpath(source))}, seed {seed}: {trial.same} the same, {trial.different} different")


main()
