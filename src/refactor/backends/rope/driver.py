"""Answers one request to the library rope: JSON on stdin, JSON on stdout, and nothing is written anywhere else.

No answer of rope is taken as it comes: what it did is undone in the syntax tree, which has to be the old one again.
"""
import ast
import hashlib
import json
import sys

REQUEST = json.load(sys.stdin)
sys.path[:0] = REQUEST["library"]

from rope.base import exceptions  # noqa: E402
from rope.base.project import Project  # noqa: E402
from rope.refactor.localtofield import LocalToField  # noqa: E402

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SEEING = ("locals", "vars", "eval", "exec", "globals", "dir")


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
    """The file, as the parser knows it."""

    def __init__(self, resource):
        self.resource = resource
        self.text = resource.read()
        self.tree = ast.parse(self.text)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        lines = self.text.splitlines(keepends=True)
        self.starts = [sum(map(len, lines[:at])) for at in range(len(lines) + 1)]
        self.lines = lines

    def start(self, node):
        line = self.lines[node.lineno - 1] if node.lineno <= len(self.lines) else ""
        return self.starts[node.lineno - 1] + len(line.encode()[: node.col_offset].decode())

    def around(self, node):
        while node in self.parents:
            node = self.parents[node]
            yield node

    def scope(self, node):
        return next((it for it in self.around(node) if isinstance(it, SCOPES)), self.tree)

    def refuse(self, node, reason):
        return Refused(f"{self.resource.path}:{node.lineno}: {reason}")


def same(old, new):
    return ast.dump(old) == ast.dump(new)


def local_to_field(project, source, offset, name):
    """A variable of a method becomes a field of its object."""
    uses = [it for it in ast.walk(source.tree) if isinstance(it, ast.Name) and it.id == name]
    node = next((it for it in uses if source.start(it) == offset), None)
    method = next((it for it in source.around(node) if isinstance(it, FUNCTIONS)), None) if node else None
    if method is None or not isinstance(source.parents[method], ast.ClassDef):
        raise Refused(f"the target names no variable of a method: `{name}`")
    if isinstance(method, ast.AsyncFunctionDef) or any(isinstance(it, (ast.Yield, ast.YieldFrom)) for it in ast.walk(method)):
        raise source.refuse(method, "the method can be left and entered again while the variable has its value")
    arguments = [*method.args.posonlyargs, *method.args.args]
    if method.decorator_list or not arguments:
        raise source.refuse(method, "a decorated method may have no object, or another one")
    own = arguments[0].arg
    uses = [it for it in uses if method in source.around(it)]
    for one in uses:
        outer = source.parents[one]
        is_plain = isinstance(outer, (ast.Assign, ast.AugAssign)) and one is not getattr(outer, "value", None)
        if source.scope(one) is not method:
            raise source.refuse(one, "a function inside the method uses it, and would see the field change")
        if not isinstance(one.ctx, ast.Load) and not is_plain:
            raise source.refuse(one, f"`{name}` does not get its value by an assignment of its own")
    for one in ast.walk(method):
        if isinstance(one, (ast.Global, ast.Nonlocal)) or isinstance(one, ast.Name) and one.id in SEEING:
            raise source.refuse(one, "the method's variables are more than its own")
        if isinstance(one, (ast.Attribute, ast.Name)) and getattr(one, "attr", getattr(one, "id", "")) == method.name:
            raise source.refuse(one, "the method calls itself, and each call has a variable of its own")
        if isinstance(one, ast.Name) and one.id == own and not isinstance(one.ctx, ast.Load):
            raise source.refuse(one, f"`{own}` is another object later")
    if any(it.arg == name for it in ast.walk(method.args) if isinstance(it, ast.arg)):
        raise source.refuse(method, f"`{name}` is a parameter")
    for other in (source, *(Source(project.get_resource(path)) for path in REQUEST["files"])):
        for one in ast.walk(other.tree):
            words = (getattr(one, "attr", None), getattr(one, "name", None), getattr(one, "value", None))
            if name in (word for word in words if isinstance(word, str)):
                raise other.refuse(one, f"`{name}` is a member here already, or is spelled")
    changes = LocalToField(project, source.resource, offset).get_changes()

    class Back(ast.NodeTransformer):
        def visit_Attribute(self, node):
            self.generic_visit(node)
            is_it = node.attr == name and isinstance(node.value, ast.Name) and node.value.id == own
            return ast.Name(name, node.ctx) if is_it else node

    return changes, Back()


KNOWN = {"local-to-field": local_to_field}


def answer():
    project = Project(REQUEST["root"], fscommands=ReadOnly(), ropefolder=None)
    source = Source(project.get_resource(REQUEST["path"]))
    raw = source.resource.read_bytes()
    offset = len(raw[: REQUEST["offset"]].decode("utf-8").replace("\r\n", "\n"))
    changes, back = KNOWN[REQUEST["refactoring"]](project, source, offset, REQUEST["name"])
    texts = {change.resource: change.new_contents for change in changes.changes}
    if not texts:
        raise Refused("rope finds nothing to change")
    if set(texts) != {source.resource}:
        raise Refused("rope wanted to change other files, too")
    text = texts[source.resource]
    if not same(source.tree, back.visit(ast.parse(text))):
        raise Refused("what rope answered is not the same program")
    lines = (raw.count(b"\r\n"), raw.count(b"\n"), raw.count(b"\r"))
    if lines not in ((0, lines[1], 0), (lines[1], lines[1], lines[1])) or raw.startswith(b"\xef\xbb\xbf"):
        raise Refused(f"`{source.resource.path}` ends its lines in several ways, or begins with a mark")
    text = text.replace("\n", "\r\n") if lines[0] else text
    return {"changed": [{"path": source.resource.path, "sha256": hashlib.sha256(raw).hexdigest(), "text": text}]}


try:
    ANSWER = answer()
except (Refused, exceptions.RopeError) as error:
    ANSWER = {"refused": str(error)}
except SyntaxError as error:
    ANSWER = {"refused": f"{error.filename or 'a file'}:{error.lineno}: Python cannot parse it"}
json.dump(ANSWER, sys.stdout)
