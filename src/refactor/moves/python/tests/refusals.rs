//! Moves that cannot be, with their reasons.

use super::{Case, check};

const PACKAGE: &str = "== a/__init__.py\ntaken = 1\n== a/b.py\nx = 1\n== a/d.py\n== a/s/__init__.py\n== a/s/t.py\n== m.py\nfrom a import b\nimport numpy\n";

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn impossible_moves_are_refused() {
    let refused = |from, to, gives| Case { files: PACKAGE, from, to, gives };
    check(&[
        (
            "no identifier",
            refused(
                "a/b.py",
                "a/b-c.py",
                "refused: `b-c` cannot be imported: `b-c` is not an identifier: `-` cannot stand at character 2 of a name\n",
            ),
        ),
        (
            "a keyword",
            refused(
                "a/b.py",
                "a/class.py",
                "refused: `class` cannot be imported: `class` is a reserved word of Python\n",
            ),
        ),
        ("the destination exists", refused("a/b.py", "a/d.py", "refused: `a/d.py` exists\n")),
        (
            "beside a package",
            refused(
                "a/b.py",
                "a/s.py",
                "refused: `a/s.py` and `a/s/` would be one module to Python: it would only find one of them\n",
            ),
        ),
        (
            "a standard module's name",
            refused(
                "a/b.py",
                "types.py",
                "refused: `types` at the top of an import root would hide Python's own module of that name\n",
            ),
        ),
        (
            "another project's name",
            refused(
                "a/b.py",
                "numpy.py",
                "refused: `m.py` imports a `numpy` from outside the project, and would find the moved module instead\n",
            ),
        ),
        (
            "a name that the package has",
            refused(
                "a/b.py",
                "a/taken.py",
                "refused: `taken` is already the name of something else in `a/__init__.py`\n",
            ),
        ),
        (
            "`__init__` alone",
            refused(
                "a/s/__init__.py",
                "a/s/u.py",
                "refused: `a/s/__init__.py` makes its directory a package: move or rename the directory\n",
            ),
        ),
        ("into itself", refused("a/s", "a/s/u", "refused: `a/s/u` lies inside `a/s`\n")),
        (
            "no Python file any more",
            refused("a/b.py", "a/b.txt", "refused: `a/b.txt` is no Python file of the same kind as `a/b.py`\n"),
        ),
    ]);
}

#[test]
fn a_place_that_nobody_can_import_from_is_refused() {
    check(&[(
        "a directory of no package",
        Case {
            files: "== src/a/__init__.py\n== src/a/b.py\nx = 1\n== src/a/m.py\nfrom . import b\n== tools/run.py\n== pyproject.toml\n",
            from: "src/a/b.py",
            to: "tools/b.py",
            gives: "refused: `src/a/m.py` could not import `src/a/b`, which would lie at `tools/b`: it lies in no package and below no import root, and `tools` is none\n",
        },
    )]);
}

#[test]
fn a_circle_that_breaks_is_refused() {
    check(&[
        (
            "the new package imports what needs the module",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== a/m.py\nfrom a.b import x\ny = x\n== a/p/__init__.py\nfrom a.m import y\n",
                from: "a/b.py",
                to: "a/p/b.py",
                gives: "refused: after the move, importing `a/m` would fail: `a/m`, `a/p` import each other in a circle, and `a/m:y` is asked for before it exists\n",
            },
        ),
        (
            "a circle that comes late enough is none",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== a/m.py\nfrom a.b import x\ny = x\n== a/p/__init__.py\ndef f():\n    from a.m import y\n",
                from: "a/b.py",
                to: "a/p/b.py",
                gives: "== a/m.py\nfrom a.p.b import x\ny = x\n",
            },
        ),
    ]);
}

#[test]
fn a_name_that_a_stub_makes_public_has_to_stay_public() {
    check(&[
        (
            "by its own name",
            Case {
                files: "== a/__init__.pyi\nfrom . import b as b\n== a/__init__.py\nfrom . import b\n== a/b.py\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "refused: the stub `a/__init__.pyi` makes `b` public by `b as b`, which no import under a new name can: rename it in the stub first\n",
            },
        ),
        (
            "private there anyway",
            Case {
                files: "== a/__init__.pyi\nfrom . import b as _b\n== a/__init__.py\nfrom . import b as _b\n== a/b.py\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nfrom . import c as _b\n== a/__init__.pyi\nfrom . import c as _b\n",
            },
        ),
    ]);
}
