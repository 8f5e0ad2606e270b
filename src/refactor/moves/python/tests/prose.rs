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
                gives: "== m.py\n\"\"\"Uses a.b.\"\"\"\nimport mock\n# a.b\nmock.patch('a.c.x')\nmock.patch(f'a.c.{mock}')\nload('xa.b', 'a.bc', 'b', 'a/b', 'http://a.b', 'c.a.b')\n!! mentioned-not-changed m.py: `a.b` is mentioned here\n!! mentioned-not-changed m.py: `a.b` is mentioned here\n!! string-edited m.py: the string names the module `a.b`, and becomes `a.c`\n!! string-edited m.py: the string names the module `a.b`, and becomes `a.c`\n",
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
                gives: "== pyproject.toml\n[project.scripts]\n# a.b:x\ntool = \"a.c:x\"\nfile = \"src/a/b.py\"\n!! mentioned-not-changed README.md: `a.b` is mentioned here\n!! mentioned-not-changed pyproject.toml: `a.b` is mentioned here\n!! mentioned-not-changed README.md: `a/b.py` is mentioned here\n!! mentioned-not-changed pyproject.toml: `a/b.py` is mentioned here\n!! mentioned-not-changed pyproject.toml: `src/a/b.py` is mentioned here\n!! string-edited pyproject.toml: the string names the module `a.b`, and becomes `a.c`\n",
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
