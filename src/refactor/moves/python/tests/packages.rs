//! Packages, several files at once, and what packages offer.

use std::collections::BTreeMap;

use super::{Case, at, check, plan, relocation, sections, told};
use crate::refactor::moves::Relocation;

#[test]
fn packages_move_as_one() {
    check(&[
        (
            "renamed",
            Case {
                files: "== a/__init__.py\n== a/s/__init__.py\nfrom .b import x\nfrom ..d import y\n== a/s/b.py\nfrom . import e\nfrom a.s.e import z\nx = 1\n== a/s/e.py\nz = 1\n== a/d.py\ny = 1\n== m.py\nfrom a import s\nfrom a.s.b import x\nimport a.s.e\nprint(a.s.e.z, s.x)\n",
                from: "a/s",
                to: "a/t",
                gives: "== a/s/b.py\nfrom . import e\nfrom a.t.e import z\nx = 1\n== m.py\nfrom a import t\nfrom a.t.b import x\nimport a.t.e\nprint(a.t.e.z, t.x)\n",
            },
        ),
        (
            "moved deeper: only what leaves it changes",
            Case {
                files: "== a/__init__.py\n== a/s/__init__.py\nfrom .b import x\nfrom ..d import y\n== a/s/b.py\nx = 1\n== a/d.py\ny = 1\n== a/p/__init__.py\n== a/m.py\nfrom .s import b\nfrom .s.b import x\n",
                from: "a/s",
                to: "a/p/s",
                gives: "== a/m.py\nfrom .p.s import b\nfrom .p.s.b import x\n== a/s/__init__.py\nfrom .b import x\nfrom ...d import y\n",
            },
        ),
        (
            "a top-level package",
            Case {
                files: "== a/__init__.py\nfrom a.b import x\nv = 1\n== a/b.py\nimport a\nx = a\n== m.py\nimport a\nimport a.b\nfrom a import b, v\nprint(a.v, a.b.x, a)\np('a.b.x', 'a.v', 'a', 'a.py', 'x/a.b')\n",
                from: "a",
                to: "big",
                gives: "== a/__init__.py\nfrom big.b import x\nv = 1\n== a/b.py\nimport big\nx = big\n== m.py\nimport big\nimport big.b\nfrom big import b, v\nprint(big.v, big.b.x, big)\np('big.b.x', 'big.v', 'a', 'a.py', 'x/a.b')\n!! string-edited m.py: the string names the module `a`, and becomes `big`\n!! string-edited m.py: the string names the module `a`, and becomes `big`\n",
            },
        ),
        (
            "a namespace package",
            Case {
                files: "== ns/p/__init__.py\n== ns/p/b.py\nx = 1\n== m.py\nimport ns.p.b\nfrom ns.p import b\n",
                from: "ns/p",
                to: "ns/q",
                gives: "== m.py\nimport ns.q.b\nfrom ns.q import b\n",
            },
        ),
    ]);
}

#[test]
fn what_a_package_offers_by_the_way_follows() {
    check(&[
        (
            "a submodule that its package imports under its own name",
            Case {
                files: "== a/__init__.py\nfrom . import b, d\nprint(b.x)\n== a/b.py\nx = 'a.b.x'\n== a/d.py\n== m.py\nimport a\nprint(a.b.x)\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nfrom . import c, d\nprint(c.x)\n== a/b.py\nx = 'a.c.x'\n== m.py\nimport a\nprint(a.c.x)\n!! string-edited a/b.py: the string names the module `a.b`, and becomes `a.c`\n",
            },
        ),
        (
            "a submodule that is a name of its package",
            Case {
                files: "== a/__init__.py\nfrom .b import *\nprint(b.x)\n== a/b.py\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nfrom .c import *\nprint(c.x)\n",
            },
        ),
        (
            "an entry of `__all__`",
            Case {
                files: "== a/__init__.py\n__all__ = ['b', 'd']\n== a/b.py\n== a/d.py\n== m.py\nfrom a import *\nprint(b)\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\n__all__ = ['c', 'd']\n== m.py\nfrom a import *\nprint(c)\n",
            },
        ),
        (
            "through another package's star",
            Case {
                files: "== a/__init__.py\nfrom a.s import *\n== a/s/__init__.py\nfrom a.s.b import *\n== a/s/b.py\nx = 1\n== m.py\nimport a\nfrom a import b\nprint(a.b.x)\n",
                from: "a/s/b.py",
                to: "a/s/c.py",
                gives: "== a/s/__init__.py\nfrom a.s.c import *\n== m.py\nimport a\nfrom a import c\nprint(a.c.x)\n",
            },
        ),
    ]);
}

#[test]
fn files_that_move_together_keep_their_imports() {
    let files = sections(
        "== a/__init__.py\n== a/b.py\nfrom .c import x\nfrom .d import y\n== a/c.py\nx = 1\n== a/d.py\ny = 1\n== a/s/__init__.py\n",
    );
    let both = BTreeMap::from([(at("a/b.py"), at("a/s/b.py")), (at("a/c.py"), at("a/s/c.py"))]);
    let together = Relocation { files: both, ..relocation(&files, "a/b.py", "a/s/b.py") };
    let answer = plan(&files, &together);
    assert_eq!(told(&files, answer), "== a/b.py\nfrom .c import x\nfrom ..d import y\n");
}

#[test]
fn stubs_are_importers_and_modules_too() {
    check(&[(
        "a stub beside its module",
        Case {
            files: "== a/__init__.py\n== a/b.py\n== a/d.pyi\nfrom .b import x\ndef f(x: \"b.T\") -> None: ...\n",
            from: "a/b.py",
            to: "a/c.py",
            gives: "== a/d.pyi\nfrom .c import x\ndef f(x: \"b.T\") -> None: ...\n",
        },
    )]);
}
