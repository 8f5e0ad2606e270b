//! Strings, settings, comments and documents.

use super::{Case, check};

#[test]
fn full_dotted_names_in_strings_follow_with_a_warning() {
    check(&[
        (
            "strings, comments and docstrings",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\n\"\"\"Uses a.b.\"\"\"\nimport mock\n# a.b\nmock.patch('a.b.x')\nmock.patch(f'a.b.{mock}')\nload('xa.b', 'a.bc', 'b', 'a/b', 'http://a.b', 'c.a.b')\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\n\"\"\"Uses a.b.\"\"\"\nimport mock\n# a.b\nmock.patch('a.c.x')\nmock.patch(f'a.c.{mock}')\nload('xa.b', 'a.bc', 'b', 'a/b', 'http://a.b', 'c.a.b')\n!! string-edited m.py: the string names the module `a.b`, and becomes `a.c`\n!! string-edited m.py: the string names the module `a.b`, and becomes `a.c`\n!! mentioned-not-changed m.py: `a.b` is mentioned here\n!! mentioned-not-changed m.py: `a.b` is mentioned here\n",
            },
        ),
        (
            "a single word is never touched",
            Case {
                files: "== json_tools.py\nx = 1\n== m.py\nimport json_tools\nprint('application/json_tools', 'json_tools')\n",
                from: "json_tools.py",
                to: "tools.py",
                gives: "== m.py\nimport tools\nprint('application/json_tools', 'json_tools')\n",
            },
        ),
        (
            "entry points and documents",
            Case {
                files: "== src/a/__init__.py\n== src/a/b.py\nx = 1\n== pyproject.toml\n[project.scripts]\n# a.b:x\ntool = \"a.b:x\"\nfile = \"src/a/b.py\"\n== README.md\nSee a.b in `a/b.py`.\n",
                from: "src/a/b.py",
                to: "src/a/c.py",
                gives: "== pyproject.toml\n[project.scripts]\n# a.b:x\ntool = \"a.c:x\"\nfile = \"src/a/c.py\"\n!! follow-up pyproject.toml: entry points change: what is installed knows the old ones until the project is installed again\n!! string-edited pyproject.toml: the setting names `src/a/b.py`, and leads to `src/a/c.py` then\n!! string-edited pyproject.toml: the string names the module `a.b`, and becomes `a.c`\n!! mentioned-not-changed README.md: `a.b` is mentioned here\n!! mentioned-not-changed pyproject.toml: `a.b` is mentioned here\n",
            },
        ),
        (
            "names of modules that are put together",
            Case {
                files: "== a/__init__.py\nimport sys\nfrom . import b\nall = [sys.modules['a.' + one] for one in ('b',)]\nprint('a.' + 'x')\n== a/b.py\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\nimport sys\nfrom . import c\nall = [sys.modules['a.' + one] for one in ('b',)]\nprint('a.' + 'x')\n!! named-at-run-time a/__init__.py: names of modules are put together here, and `a.b` may be one of them\n",
            },
        ),
        (
            "tables of a package that finds its names itself",
            Case {
                files: "== a/__init__.py\n_T = {'b': ['x'], 'x': '.b', 'y': 'b'}\n__getattr__ = attach(__name__, submodules=['b'])\nprint('b')\n== a/b.py\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/__init__.py\n_T = {'c': ['x'], 'x': '.c', 'y': 'c'}\n__getattr__ = attach(__name__, submodules=['c'])\nprint('b')\n!! string-edited a/__init__.py: the string names the module `.b`, and becomes `.c`\n!! string-edited a/__init__.py: the string names the module `b`, and becomes `c`\n!! string-edited a/__init__.py: the string names the module `b`, and becomes `c`\n!! string-edited a/__init__.py: the string names the module `b`, and becomes `c`\n",
            },
        ),
        (
            "conftest counts by its place",
            Case {
                files: "== tests/conftest.py\n== tests/unit/__init__.py\n",
                from: "tests/conftest.py",
                to: "tests/unit/conftest.py",
                gives: "!! follow-up tests/conftest.py: pytest finds `conftest.py` by its name and place: its fixtures now count elsewhere\n",
            },
        ),
    ]);
}

#[test]
fn paths_in_settings_follow() {
    check(&[
        (
            "of a file, to the end of a value or to a colon; commands and comments are left",
            Case {
                files: "== src/a/__init__.py\n== src/a/b.py\nx = 1\n== pyproject.toml\n[tool.hatch.version]\npath = \"src/a/b.py\"\n[tool.commitizen]\nversion_files = [\"./src/a/b.py:x\", \"src/a/b.pyi\"]\n[tool.poe.tasks]\nlint = \"ruff src/a/b.py\" # \"src/a/b.py\"\n== setup.cfg\n[flake8]\nper-file-ignores =\n    src/a/b.py:E501\n",
                from: "src/a/b.py",
                to: "src/a/c.py",
                gives: "== pyproject.toml\n[tool.hatch.version]\npath = \"src/a/c.py\"\n[tool.commitizen]\nversion_files = [\"./src/a/c.py:x\", \"src/a/b.pyi\"]\n[tool.poe.tasks]\nlint = \"ruff src/a/b.py\" # \"src/a/b.py\"\n== setup.cfg\n[flake8]\nper-file-ignores =\n    src/a/c.py:E501\n!! string-edited pyproject.toml: the setting names `src/a/b.py`, and leads to `src/a/c.py` then\n!! string-edited pyproject.toml: the setting names `src/a/b.py`, and leads to `src/a/c.py` then\n!! string-edited setup.cfg: the setting names `src/a/b.py`, and leads to `src/a/c.py` then\n",
            },
        ),
        (
            "of a directory, and below it",
            Case {
                files: "== src/a/__init__.py\n== src/a/b.py\nx = 1\n== pyproject.toml\n[tool.hatch]\npackages = [\"src/a\", \"src/a/b.py\", \"src/ab\"]\n[tool.pytest.ini_options]\naddopts = \"--cov=src/a\"\n",
                from: "src/a",
                to: "src/c",
                gives: "== pyproject.toml\n[tool.hatch]\npackages = [\"src/c\", \"src/c/b.py\", \"src/ab\"]\n[tool.pytest.ini_options]\naddopts = \"--cov=src/c\"\n!! string-edited pyproject.toml: the setting names `src/a`, and leads to `src/c` then\n!! string-edited pyproject.toml: the setting names `src/a`, and leads to `src/c` then\n!! string-edited pyproject.toml: the setting names `src/a`, and leads to `src/c` then\n",
            },
        ),
    ]);
}

#[test]
fn type_comments_follow() {
    check(&[(
        "of variables and of signatures, not of what else is called so",
        Case {
            files: "== a/__init__.py\n== a/b.py\nclass X: ...\n== m.py\nfrom typing import Optional\nfrom a import b\nimport a.b\nx = None  # type: Optional[b.X]\ny = []  # type: list[a.b.X]  # why\ndef f(p, *q):\n    # type: (b.X, *b.X) -> b.X\n    return p\ndef g(b):\n    z = b  # type: ignore[b]\n    return z  # of b.X\n",
            from: "a/b.py",
            to: "a/c.py",
            gives: "== m.py\nfrom typing import Optional\nfrom a import c\nimport a.c\nx = None  # type: Optional[c.X]\ny = []  # type: list[a.c.X]  # why\ndef f(p, *q):\n    # type: (c.X, *c.X) -> c.X\n    return p\ndef g(b):\n    z = b  # type: ignore[b]\n    return z  # of b.X\n",
        },
    )]);
}

#[test]
fn examples_follow() {
    check(&[
        (
            "imports and uses, of the module and of the example",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== m.py\n\"\"\"Says.\n\n    >>> from a import b\n    >>> b.x\n    1\n    >>> import a.b\n    >>> a.b.x  # of a.b\n    1\n\"\"\"\nfrom a import b\ndef f():\n    '''Gives.\n\n    >>> b.x\n    ... \n    1\n    >>> from a.b import (\n    ...     x as y)\n    '''\n    return b.x\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== m.py\n\"\"\"Says.\n\n    >>> from a import c\n    >>> c.x\n    1\n    >>> import a.c\n    >>> a.c.x  # of a.b\n    1\n\"\"\"\nfrom a import c\ndef f():\n    '''Gives.\n\n    >>> c.x\n    ... \n    1\n    >>> from a.c import (\n    ...     x as y)\n    '''\n    return c.x\n!! mentioned-not-changed m.py: `a.b` is mentioned here\n",
            },
        ),
        (
            "a statement is split in its own line",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== a/d.py\n== z/__init__.py\n== m.py\ndef f():\n    \"\"\"\n    >>> from a import b, d\n    >>> b.x\n    1\n    \"\"\"\n",
                from: "a/b.py",
                to: "z/b.py",
                gives: "== m.py\ndef f():\n    \"\"\"\n    >>> from z import b; from a import d\n    >>> b.x\n    1\n    \"\"\"\n",
            },
        ),
        (
            "the moved file's own",
            Case {
                files: "== a/__init__.py\n== a/b.py\n\"\"\"\n>>> from a.b import x\n>>> x\n1\n\"\"\"\nx = 1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== a/b.py\n\"\"\"\n>>> from a.c import x\n>>> x\n1\n\"\"\"\nx = 1\n",
            },
        ),
    ]);
}

#[test]
fn examples_of_documents_follow() {
    check(&[
        (
            "of a module outside of packages",
            Case {
                files: "== lib.py\nx = 1\n== README.md\nWhat lib does:\n\n>>> from lib import x\n>>> x\n1\n",
                from: "lib.py",
                to: "core.py",
                gives: "== README.md\nWhat lib does:\n\n>>> from core import x\n>>> x\n1\n",
            },
        ),
        (
            "of a module of a package; other mentions are told",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== README.md\nSee a.b:\n\n>>> import a.b\n>>> a.b.x\n1\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== README.md\nSee a.b:\n\n>>> import a.c\n>>> a.c.x\n1\n!! mentioned-not-changed README.md: `a.b` is mentioned here\n",
            },
        ),
    ]);
}

#[test]
fn values_of_settings_follow() {
    check(&[(
        "values of settings",
        Case {
            files: "== a/__init__.py\n== a/b.py\nx = 1\n== log.yaml\nfilter: a.b.x\nlist: [a.b, 'a.b:x']\nnote: see a.b\n== app.json\n{\"load\": \"a.b\", \"says\": \"loads a.b\"}\n",
            from: "a/b.py",
            to: "a/c.py",
            gives: "== app.json\n{\"load\": \"a.c\", \"says\": \"loads a.b\"}\n== log.yaml\nfilter: a.c.x\nlist: [a.c, 'a.c:x']\nnote: see a.b\n!! string-edited app.json: the string names the module `a.b`, and becomes `a.c`\n!! string-edited log.yaml: the string names the module `a.b`, and becomes `a.c`\n!! string-edited log.yaml: the string names the module `a.b`, and becomes `a.c`\n!! string-edited log.yaml: the string names the module `a.b`, and becomes `a.c`\n!! mentioned-not-changed app.json: `a.b` is mentioned here\n!! mentioned-not-changed log.yaml: `a.b` is mentioned here\n",
        },
    )]);
}
