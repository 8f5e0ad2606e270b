"""Compares `usages_of` with what a language server calls references, and with the places of a rename.

    python compare.py LSPWRIGHT SERVER PROJECT COUNT SEED [SECONDS]

SERVER is a command that speaks LSP on its standard streams (`basedpyright-langserver --stdio`, `typescript-language-server
--stdio`); PROJECT is a directory, of which COUNT declarations are taken at random. A place of the server that lspwright
neither counts among the usages nor among the possible ones is *missing*; a place that the rename edits and that is no
usage, or the reverse, is *unlike the rename*. Refused renames are counted, and not compared. No declaration is begun
behind SECONDS.
"""

import json
import os
import random
import re
import shlex
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

LANGUAGES = {".py": "python", ".pyi": "python", ".ts": "typescript", ".tsx": "typescriptreact", ".js": "javascript",
             ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascriptreact"}


class Framed:
    """A process that is spoken to in JSON-RPC; `headers` is how LSP frames it, lines are how MCP does."""

    def __init__(self, command, headers, cwd):
        self.headers = headers
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=cwd)
        self.number = 0
        self.answers = {}
        self.news = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        data = json.dumps(message).encode()
        head = b"Content-Length: %d\r\n\r\n" % len(data) if self.headers else b""
        self.process.stdin.write(head + data + (b"" if self.headers else b"\n"))
        self.process.stdin.flush()

    def receive(self):
        stream = self.process.stdout
        if not self.headers:
            line = stream.readline()
            return json.loads(line) if line else None
        length = 0
        while True:
            line = stream.readline()
            if not line:
                return None
            if line in (b"\r\n", b"\n"):
                return json.loads(stream.read(length))
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)

    def read(self):
        while (message := self.receive()) is not None:
            if "method" in message and "id" in message:
                items = message.get("params", {}).get("items") if isinstance(message.get("params"), dict) else None
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": [None] * len(items) if items else None})
            elif "id" in message:
                with self.news:
                    self.answers[message["id"]] = message
                    self.news.notify_all()

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params, timeout=300):
        self.number += 1
        number = self.number
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        with self.news:
            if not self.news.wait_for(lambda: number in self.answers, timeout):
                raise TimeoutError(method)
            answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(answer["error"].get("message"))
        return answer["result"]


def uri(path):
    return Path(path).as_uri()


def sources(project):
    skipped = {"node_modules", ".git", "dist", "build", ".venv", "venv", "__pycache__"}
    for directory, inner, files in os.walk(project):
        inner[:] = sorted(name for name in inner if name not in skipped)
        for name in sorted(files):
            if os.path.splitext(name)[1] in LANGUAGES:
                yield os.path.join(directory, name)


class Truth:
    def __init__(self, command, project):
        self.project = project
        self.rpc = Framed(shlex.split(command), True, project)
        capabilities = {"textDocument": {"references": {}}, "workspace": {"configuration": True, "workspaceFolders": True}}
        self.rpc.ask("initialize", {"processId": os.getpid(), "rootUri": uri(project), "capabilities": capabilities,
                                    "workspaceFolders": [{"uri": uri(project), "name": "project"}]})
        self.rpc.tell("initialized", {})
        self.texts = {}
        for path in sources(project):
            text = Path(path).read_text(encoding="utf-8", errors="replace")
            self.texts[os.path.relpath(path, project)] = text.split("\n")
            self.rpc.tell("textDocument/didOpen", {"textDocument": {
                "uri": uri(path), "languageId": LANGUAGES[os.path.splitext(path)[1]], "version": 1, "text": text}})

    def places(self, module, line, column):
        """Lines from 1, columns from 1."""
        found = self.rpc.ask("textDocument/references", {
            "textDocument": {"uri": uri(os.path.join(self.project, module))},
            "position": {"line": line - 1, "character": column - 1}, "context": {"includeDeclaration": True}})
        places = set()
        for one in found or []:
            path = urllib.parse.unquote(urllib.parse.urlparse(one["uri"]).path)
            name = os.path.relpath(os.path.realpath(path), os.path.realpath(self.project))
            if not name.startswith("..") and "node_modules" not in name:
                start = one["range"]["start"]
                places.add((name, start["line"] + 1, start["character"] + 1))
        return places


class Lspwright:
    def __init__(self, binary, project):
        command = [binary, "serve", "--project", project, "--toolsets", "plan,explore"]
        self.rpc = Framed(command, False, project)
        self.rpc.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "compare", "version": "1"}})
        self.rpc.tell("notifications/initialized", {})

    def call(self, tool, **arguments):
        """Asks for all parts of an answer."""
        whole = self.one(tool, arguments)
        while "cursor" in (more := whole.pop("more", {})):
            for key, value in self.one(tool, {**arguments, "cursor": more["cursor"]}).items():
                whole[key] = whole[key] + value if isinstance(value, list) and key in whole else value
        return whole

    def one(self, tool, arguments):
        answer = self.rpc.ask("tools/call", {"name": tool, "arguments": arguments}, 600)
        if answer.get("isError"):
            raise RuntimeError(answer["content"][0]["text"][:300])
        return answer.get("structuredContent") or json.loads(answer["content"][0]["text"])


def column_of(lines, row):
    """Finds the name of a declaration: in its first lines, behind a keyword where there is one."""
    found = list(places_of(lines, row))
    keyword = re.compile(r"\b(def|class|function|interface|type|const|let|var|enum|namespace)\s*[*]?\s*$")
    return sorted(found, key=lambda at: not keyword.search(lines[at[0] - 1][:at[1] - 1]))


def places_of(lines, row):
    for number in range(row["line"], min(row["line"] + 40, len(lines) + 1)):
        for found in re.finditer(r"(?<![\w$#])#?" + re.escape(row["name"]) + r"(?![\w$])", lines[number - 1]):
            yield number, found.start() + 1


def compared(lspwright, truth, row, sums):
    lines = truth.texts.get(row["path"])
    if lines is None:
        return
    usages = lspwright.call("usages_of", id=row["id"])
    certain = {(one["module"], one["line"], one["span"][0]) for one in usages["usages"]}
    possible = {(one["module"], one["line"], one["span"][0]) for one in usages["possible"]}
    for line, column in column_of(lines, row):
        theirs = truth.places(row["path"], line, column)
        if (row["path"], line, column) in theirs:
            break
    else:
        sums["unknown to the server"] += 1
        return
    sums["declarations"] += 1
    sums["usages"] += len(certain)
    sums["places of the server"] += len(theirs) - 1
    own = (row["path"], line, column)
    missing = sorted(theirs - certain - possible - {own})
    sums["missing"] += len(missing)
    sums["known to lspwright alone"] += len(certain - theirs)
    for place in missing:
        path, number, _ = place
        print("MISSING", usages["target"], row["kind"], place, truth.texts.get(path, [""] * number)[number - 1].strip()[:100])
    renamed(lspwright, (row, usages["target"], own, certain), sums)


def renamed(lspwright, asked, sums):
    row, target, own, certain = asked
    try:
        plan = lspwright.call("planRenameSymbol", filePath=row["path"], line=own[1] - 1, character=own[2] - 1,
                              newName="zqx_renamed" if row["name"].islower() else "ZqxRenamed", expect=row["name"])
    except RuntimeError:
        sums["renames refused"] += 1
        return
    if not plan.get("canRename") or plan.get("editsOmitted"):
        sums["renames refused" if not plan.get("canRename") else "plans without edits"] += 1
        return
    root = plan["projectRoot"]
    edited = set()
    for file in plan["edits"]:
        name = os.path.relpath(file["filePath"], root)
        for edit in file["textEdits"]:
            edited.add((name, edit["range"]["start"]["line"] + 1))
    lines = {place[:2] for place in certain} | {own[:2]}
    sums["renames"] += 1
    for place in sorted(edited ^ lines):
        sums["unlike the rename"] += 1
        print("RENAME", "edits" if place in edited else "does not edit", target, row["kind"], place)


def main():
    binary, server, project, count, seed, *seconds = sys.argv[1:]
    end = time.monotonic() + float(seconds[0]) if seconds else float("inf")
    project = os.path.realpath(project)
    lspwright, truth = Lspwright(binary, project), Truth(server, project)
    rows = lspwright.call("list_declarations", path=".")["declarations"]
    rows = [row for row in rows if os.path.splitext(row["path"])[1] in LANGUAGES]
    chosen = random.Random(int(seed)).sample(rows, min(int(count), len(rows)))
    names = ["declarations", "unknown to the server", "usages", "places of the server", "missing", "known to lspwright alone",
             "renames", "renames refused", "plans without edits", "unlike the rename", "failed"]
    sums = dict.fromkeys(names, 0)
    for row in chosen:
        if time.monotonic() > end:
            break
        try:
            compared(lspwright, truth, row, sums)
        except (RuntimeError, TimeoutError) as error:
            sums["failed"] += 1
            print("FAILED", row["path"], row["name"], str(error)[:200])
    print(f"{os.path.basename(project)}: {len(rows)} declarations, {len(chosen)} taken;",
          ", ".join(f"{value} {name}" for name, value in sums.items()))


main()
