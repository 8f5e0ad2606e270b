//! Every form of import, and what it binds.

use super::{Case, check};

#[test]
fn import_statements_follow() {
    check(&[
        (
            "dotted, with its uses",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\nimport a.b\nimport os\nprint(a.b.x, a.b)\ndef f(a):\n    return a.b\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nimport a.c\nimport os\nprint(a.c.x, a.c)\ndef f(a):\n    return a.b\n",
            },
        ),
        (
            "dotted, and the package is still needed",
            Case {
                files: "== a/__init__.py\nv = 1\n== a/b.py\nx = 1\n== z/__init__.py\n== m.py\nimport a.b\nprint(a.b.x, a.v, a)\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== m.py\nimport a\nimport z.b\nprint(z.b.x, a.v, a)\n",
            },
        ),
        (
            "aliased",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\nimport os, a.b as q, sys  # why\nprint(q.x)\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nimport os, a.c as q, sys  # why\nprint(q.x)\n",
            },
        ),
        (
            "from the module",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = y = 1\n== m.py\nfrom a.b import (\n    x,  # one\n    # two\n    y as z,\n)\nfrom a.b import *\n",
                from: "a/b.py",
                to: "a/c/d.py",
                gives: "== m.py\nfrom a.c.d import (\n    x,  # one\n    # two\n    y as z,\n)\nfrom a.c.d import *\n++ a/c/__init__.py\n",
            },
        ),
        (
            "in functions, conditions and for types only",
            Case {
                files: "== a/__init__.py\n== a/b.py\nX = 1\n== m.py\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a.b import X\ntry:\n    import a.b\nexcept ImportError: import a.b as b\ndef f():\n    from a import b; return b.X\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a.c import X\ntry:\n    import a.c\nexcept ImportError: import a.c as b\ndef f():\n    from a import c; return c.X\n",
            },
        ),
    ]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn the_name_of_a_module_follows_where_it_can() {
    check(&[
        (
            "its uses follow, by scope",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\nfrom a import b\ndef f():\n    return b.x\ndef g(b):\n    return b.x\ny: 'b.T' = f'{b.x}'\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nfrom a import c\ndef f():\n    return c.x\ndef g(b):\n    return b.x\ny: 'c.T' = f'{c.x}'\n",
            },
        ),
        (
            "in a class that gives a field its name",
            Case {
                files: "== a/__init__.py\n== a/b.py\nX = 1\n== m.py\nfrom a import b\nclass D:\n    x: b.X\n    s: \"b.X\"\n    b: b.X\n    y: b.X\nclass E:\n    b = b.X\n    z = b.X\n    def f(self): return b.X\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nfrom a import c\nclass D:\n    x: c.X\n    s: \"c.X\"\n    b: c.X\n    y: c.X\nclass E:\n    b = c.X\n    z = b.X\n    def f(self): return c.X\n",
            },
        ),
        (
            "an alias where the new name is taken",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\nfrom a import b\nc = b.x\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nfrom a import c as b\nc = b.x\n",
            },
        ),
        (
            "an alias where a nested scope has the new name",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\nfrom a import b\ndef f(c):\n    return b.x + c\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\nfrom a import c as b\ndef f(c):\n    return b.x + c\n",
            },
        ),
        (
            "an alias in a package's own names",
            Case {
                files: "== a/__init__.py\nfrom . import b\n__all__ = ['b']\n== a/b.py\nx = 1\n== m.py\nimport a\nfrom a import b\nprint(a.b.x, b)\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nfrom . import c as b\n__all__ = ['b']\n== m.py\nimport a\nfrom a import c\nprint(a.b.x, c)\n",
            },
        ),
        (
            "an alias where others take the name from here",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== a/m.py\nfrom . import b\n== a/n.py\nfrom .m import b\nprint(b.x)\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/m.py\nfrom . import c as b\n",
            },
        ),
        (
            "another alias stays, and the module's own name, which only says that it is handed on, follows",
            Case {
                files: "== a/__init__.py\nfrom . import b as b\n== d/__init__.py\nfrom a import b as d\n== a/b.py\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nfrom . import c as c\n== d/__init__.py\nfrom a import c as d\n",
            },
        ),
        (
            "a function of the module's name is not the module",
            Case {
                files: "== a/__init__.py\nfrom .b import b\n== a/b.py\ndef b(): ...\n== m.py\nfrom a import b\nb()\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nfrom .c import b\n",
            },
        ),
    ]);
}

#[test]
fn a_module_leaves_its_package() {
    check(&[
        (
            "statements are split",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== a/d.py\n== z/__init__.py\n== m.py\nfrom a import b, d\nfrom a import d, b as q\nfrom a import (\n    b,  # gone\n    d,  # stays\n)\nprint(b.x)\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== m.py\nfrom z import b\nfrom a import d\nfrom z import b as q\nfrom a import d\nfrom z import b\nfrom a import (\n    d,  # stays\n)\nprint(b.x)\n",
            },
        ),
        (
            "whole statements go along",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== a/m.py\nfrom . import b\nfrom .b import x\nif x: from . import b\n== a/s/__init__.py\n",
                from: "a/b.py",
                to: "a/s/b2.py",
                gives: "== a/m.py\nfrom .s import b2\nfrom .s.b2 import x\nif x: from .s import b2\n",
            },
        ),
        (
            "a name that the package only had by the way",
            Case {
                files: "== a/__init__.py\nfrom .b import x\n== a/b.py\nx = 1\n== z/__init__.py\n== m.py\nimport a\nprint(a.b.x, a.x)\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== a/__init__.py\nfrom z.b import x\n== m.py\nimport z.b\nimport a\nprint(z.b.x, a.x)\n",
            },
        ),
        (
            "a name that the package binds stays",
            Case {
                files: "== a/__init__.py\nfrom . import b\n== a/b.py\nx = 1\n== z/__init__.py\n== m.py\nimport a\nprint(a.b.x)\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== a/__init__.py\nfrom z import b\n",
            },
        ),
        (
            "to the top",
            Case {
                files: "== a/__init__.py\n== a/b.py\nfrom .d import y\nx = 1\n== a/d.py\ny = 1\n== a/m.py\nfrom . import b\nfrom a.b import x\nprint(b.x)\n",
                from: "a/b.py",
                to: "tool.py",
                gives: "== a/b.py\nfrom a.d import y\nx = 1\n== a/m.py\nimport tool\nfrom tool import x\nprint(tool.x)\n",
            },
        ),
    ]);
}

#[test]
fn the_moved_file_keeps_its_imports() {
    check(&[
        (
            "down",
            Case {
                files: "== a/__init__.py\n== a/b.py\nfrom . import d\nfrom .d import y\nfrom a.d import y\nimport a.d\n== a/d.py\ny = 1\n== a/s/__init__.py\n",
                from: "a/b.py",
                to: "a/s/b.py",
                gives: "== a/b.py\nfrom .. import d\nfrom ..d import y\nfrom a.d import y\nimport a.d\n",
            },
        ),
        (
            "up",
            Case {
                files: "== a/__init__.py\n== a/s/__init__.py\n== a/s/b.py\nfrom .. import d\nfrom ..d import y\nfrom . import t\nfrom .t import u\n== a/s/t.py\nu = 1\n== a/d.py\ny = 1\n",
                from: "a/s/b.py",
                to: "a/b.py",
                gives: "== a/s/b.py\nfrom . import d\nfrom .d import y\nfrom .s import t\nfrom .s.t import u\n",
            },
        ),
        (
            "to another package altogether",
            Case {
                files: "== a/__init__.py\nv = 1\n== a/b.py\nfrom . import d, v\nfrom ._version import w\n== a/d.py\n== z/__init__.py\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== a/b.py\nfrom a import d, v\nfrom a._version import w\n",
            },
        ),
        (
            "line ends stay",
            Case {
                files: "== a/__init__.py\n== a/b.py\r\n\r\nfrom .d import y\r\n== a/d.py\ny = 1\n== m.py\nfrom a import b, d\r\nb.y\r\n== z/__init__.py\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== a/b.py\n\r\nfrom a.d import y\r\n== m.py\nfrom z import b\r\nfrom a import d\r\nb.y\r\n",
            },
        ),
    ]);
}
