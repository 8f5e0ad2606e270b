//! Where absolute imports begin.

use super::{Case, check};

#[test]
fn every_layout_finds_its_roots() {
    check(&[
        (
            "src and tests",
            Case {
                files: "== pyproject.toml\n== src/a/__init__.py\n== src/a/b.py\nx = 1\n== tests/test_b.py\nimport a.b\nfrom a import b\nfrom helpers import h\n== tests/helpers.py\nh = 1\n",
                from: "src/a/b.py",
                to: "src/a/c.py",
                gives: "== tests/test_b.py\nimport a.c\nfrom a import c\nfrom helpers import h\n",
            },
        ),
        (
            "a helper beside tests",
            Case {
                files: "== pyproject.toml\n== src/a/__init__.py\n== tests/test_b.py\nfrom helpers import h\n== tests/deep/test_c.py\nimport helpers\nprint(helpers.h)\n== tests/helpers.py\nh = 1\n== src/a/m.py\nimport helpers\n",
                from: "tests/helpers.py",
                to: "tests/aids.py",
                gives: "== tests/deep/test_c.py\nimport aids\nprint(aids.h)\n== tests/test_b.py\nfrom aids import h\n",
            },
        ),
        (
            "two projects with packages of one name",
            Case {
                files: "== one/pyproject.toml\n== one/tests/__init__.py\n== one/tests/u.py\n== one/tests/t.py\nfrom tests.u import x\n== two/pyproject.toml\n== two/tests/__init__.py\n== two/tests/u.py\n== two/tests/t.py\nfrom tests.u import x\n",
                from: "one/tests/u.py",
                to: "one/tests/v.py",
                gives: "== one/tests/t.py\nfrom tests.v import x\n",
            },
        ),
        (
            "a root that the settings name",
            Case {
                files: "== pyproject.toml\n[tool.pytest.ini_options]\npythonpath = [\"code\"]\n== code/a/__init__.py\n== code/a/b.py\n== code/top.py\n== tests/t.py\nimport top\nfrom a import b\n",
                from: "code/top.py",
                to: "code/a/top.py",
                gives: "== tests/t.py\nimport a.top\nfrom a import b\n",
            },
        ),
        (
            "the standard library is not the project",
            Case {
                files: "== scripts/json.py\n== m.py\nimport json\n== scripts/run.py\nimport json\n",
                from: "scripts/json.py",
                to: "scripts/text.py",
                gives: "== scripts/run.py\nimport text\n",
            },
        ),
    ]);
}
