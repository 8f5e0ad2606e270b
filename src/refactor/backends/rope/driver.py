"""Answers one request to the library rope: JSON on stdin, JSON on stdout, and nothing is written anywhere else.

What rope is known to do wrong (1.15.0) is refused before it is asked, or mended: it loses keyword-only parameters,
and takes away imports that it believes unused.
"""
import ast
import hashlib
import io
import json
import re
import sys
import tokenize

REQUEST = json.load(sys.stdin)
sys.path[:0] = REQUEST["library"]

from rope.base import evaluate, exceptions, pynames  # noqa: E402
from rope.base.change import ChangeContents  # noqa: E402
from rope.base.project import Project  # noqa: E402
from rope.refactor import method_object, occurrences  # noqa: E402

PARAMS = REQUEST["params"]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

class Refused(Exception):
    """Why there is no sound change."""


class ReadOnly:
    """The disk as rope may use it."""

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def __getattr__(self, name):
        raise Refused(f"rope wanted to `{name}` on the disk")


class Source:
    """One file, with what the parser and the tokenizer know of it."""

    def __init__(self, resource):
        self.resource = resource
        self.text = resource.read()
        self.tree = ast.parse(self.text)
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.lines = self.text.split("\n")
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def offset(self, line, column):
        """From a line from 1 and a column in bytes to characters."""
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)

    def around(self, node):
        while node in self.parents:
            node = self.parents[node]
            yield node

    def place(self, offset):
        return f"{self.resource.path}:{self.text.count(chr(10), 0, offset) + 1}"

    def mentions(self, name):
        """Where the name stands as one, f-strings included; a string that is the name is refused."""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            at = self.starts[token.start[0] - 1] + token.start[1]
            if token.type == tokenize.NAME and token.string == name:
                yield at
            elif token.type == tokenize.STRING:
                said = token.string.lower()
                if re.match(r"\w*f", said.split(said[-1])[0]):
                    yield from (at + found.start() for found in word.finditer(token.string))
                elif re.fullmatch(rf"\w*(['\"]+)([\w.]+\.)?{re.escape(name)}\1", token.string):
                    raise Refused(f"{self.place(at)}: a string says `{name}`, perhaps as a name")

    def node_at(self, offset):
        """The definition, name, attribute or import whose name begins at an offset; nothing elsewhere."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and self.start(node) == offset:
                return node
            if isinstance(node, ast.Attribute) and self.end(node) - len(node.attr) == offset:
                return node
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and self.named(node) == offset:
                return node
            if isinstance(node, ast.alias) and self.start(node) <= offset < self.end(node):
                return node
        return None

    def named(self, node):
        """Where the name of a definition begins."""
        found = re.compile(r"(?:async\s+)?(?:def|class)\s+").match(self.text, self.start(node))
        return found.end() if found else -1


class Subject:
    """What is refactored: a declaration, and every place that means it."""

    def __init__(self):
        self.project = Project(REQUEST["root"], fscommands=ReadOnly(), ropefolder=None)
        self.project.prefs.imports.preferred_import_style = "from-global"
        self.resource = self.project.get_resource(REQUEST["path"])
        self.resources = [self.project.get_resource(path) for path in REQUEST["files"]]
        raw = self.resource.read_bytes()
        before = raw[: REQUEST["offset"]].decode("utf-8").replace("\r\n", "\n")
        self.offset = len(before)
        self.sources = {resource: Source(resource) for resource in self.resources}
        self.source = self.sources[self.resource]
        self.node = self.source.node_at(self.offset)
        self.name = REQUEST["name"]

    def uses(self):
        """Every place that means the subject. One that nobody can tell refuses the whole."""
        module = self.project.get_pymodule(self.resource)
        name = evaluate.eval_location(module, self.offset)
        if name is None:
            raise Refused(f"rope does not know what `{self.name}` is")
        finder = occurrences.create_finder(self.project, self.name, name)
        found = []
        for resource, source in self.sources.items():
            known = {use.get_word_range()[0] for use in finder.find_occurrences(resource)}
            for at in source.mentions(self.name):
                if at in known:
                    found.append((source, at, source.node_at(at)))
                elif not self.is_other(resource, at):
                    raise Refused(f"{source.place(at)}: nobody can tell whether this `{self.name}` is the same")
        return found

    def is_other(self, resource, offset):
        """Tells whether a place is known to mean something else."""
        other = evaluate.eval_location(self.project.get_pymodule(resource), offset)
        return other is not None and not isinstance(other, pynames.UnboundName) and any(other.get_definition_location())

    def function(self):
        if not isinstance(self.node, FUNCTIONS):
            raise Refused("the target names no function")
        return self.node

    def check_free(self, name):
        """Refuses a name that means something in one of the files already."""
        for source in self.sources.values():
            if any(True for _ in source.mentions(name)):
                raise Refused(f"`{name}` already means something in `{source.resource.path}`")

    def check_alone(self):
        """Refuses a method that another class has, too: it may override this one."""
        if not isinstance(self.source.parents[self.function()], ast.ClassDef):
            return
        for source in self.sources.values():
            for node in ast.walk(source.tree):
                if isinstance(node, FUNCTIONS) and node.name == self.name and node is not self.node:
                    place = source.place(source.start(node))
                    raise Refused(f"{place}: this `{self.name}` may override the other, or be overridden")

    def calls(self):
        """Every call of the subject. Any other use, and a call that cannot be read, refuses the whole."""
        for source, at, node in self.uses():
            if node is self.node or isinstance(node, ast.alias):
                if isinstance(node, ast.alias) and node.asname:
                    raise Refused(f"{source.place(at)}: `{self.name}` is imported under another name")
                continue
            call = source.parents.get(node)
            if not isinstance(call, ast.Call) or call.func is not node:
                raise Refused(f"{source.place(at)}: `{self.name}` is used here without a call")
            if any(isinstance(it, ast.Starred) for it in call.args) or any(it.arg is None for it in call.keywords):
                raise Refused(f"{source.place(at)}: `*` or `**` passes arguments that no text tells")
            acting = [it for it in ast.walk(call) if isinstance(it, (ast.Call, ast.Await, ast.Yield, ast.NamedExpr))]
            if call.keywords and len(acting) > 2:
                raise Refused(f"{source.place(at)}: rope orders arguments anew, and more than one of them may act")
            yield source, call


def method_object_changes(subject):
    function, name = subject.function(), PARAMS["name"]
    source = subject.source
    outer = list(source.around(function))
    if len(outer) > 2 or any(isinstance(node, FUNCTIONS) for node in outer):
        raise Refused("a function inside another one uses what surrounds it")
    check_plain(function)
    for node in ast.walk(function):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal)) or node is function and isinstance(node, ast.AsyncFunctionDef):
            raise Refused("a function that can be suspended is no plain call any more in another object")
        if isinstance(node, ast.Name) and node.id in ("super", "locals", "vars", "eval", "exec", "__class__"):
            raise Refused(f"{source.place(source.start(node))}: `{node.id}` means something else in another class")
        if isinstance(node, (ast.Attribute, ast.Name)) and re.fullmatch(r"__\w*[^_]_?", getattr(node, "attr", getattr(node, "id", ""))):
            raise Refused(f"{source.place(source.start(node))}: a name that its class keeps private")
    if function.name == "__init__":
        raise Refused("`__init__` says which fields there are")
    if isinstance(outer[0], ast.ClassDef):
        for node in outer[0].body:
            if not isinstance(node, FUNCTIONS) and any(isinstance(it, ast.Name) and it.id == function.name for it in ast.walk(node)):
                raise Refused("the class calls the method before another class could be defined")
    if any(at for at in source.mentions(name)):
        raise Refused(f"`{name}` already means something in `{source.resource.path}`")

    class Mended(method_object.MethodObject):
        def get_new_class(self, name):
            text = super().get_new_class(name).replace(f"class {name}(object):\n\n", f"class {name}:\n", 1)
            return text if "host" in self._get_parameter_names() else re.sub(r"\bself\.self\b", "self.host", text)

    return Mended(subject.project, subject.resource, subject.offset).get_changes(classname=name)


def check_plain(function):
    if function.args.kwonlyargs or function.args.posonlyargs:
        raise Refused("rope knows no keyword-only and no positional-only parameters, and would lose them")


KNOWN = {
    "method-object": method_object_changes,
}


def answer():
    subject = Subject()
    changes = KNOWN[REQUEST["refactoring"]](subject)
    if not isinstance(changes, dict):
        if any(not isinstance(change, ChangeContents) for change in changes.changes):
            raise Refused("rope wanted to do more than change texts")
        changes = {change.resource: change.new_contents for change in changes.changes}
    changed = []
    for resource, text in changes.items():
        raw = resource.read_bytes()
        lines = (raw.count(b"\r\n"), raw.count(b"\n"), raw.count(b"\r"))
        if lines not in ((0, lines[1], 0), (lines[1], lines[1], lines[1])) or raw.startswith(b"\xef\xbb\xbf"):
            raise Refused(f"`{resource.path}` ends its lines in several ways, or begins with a mark")
        text = text.replace("\n", "\r\n") if lines[0] else text
        changed.append({"path": resource.path, "sha256": hashlib.sha256(raw).hexdigest(), "text": text})
    return {"changed": changed}


try:
    ANSWER = answer()
except (Refused, exceptions.RopeError) as error:
    ANSWER = {"refused": str(error)}
except SyntaxError as error:
    ANSWER = {"refused": f"{error.filename or 'a file'}:{error.lineno}: Python cannot parse it"}
json.dump(ANSWER, sys.stdout)
