//! Names of modules that are put together, entry points, and what settings list.

use super::{Case, check};

#[test]
fn modules_of_one_name_that_are_loaded_by_it_follow() {
    check(&[
        (
            "in calls that load them, and told where names are kept for these",
            Case {
                files: "== tag.py\nx = 1\n== a.py\nimport importlib, sys\nimportlib.import_module('tag')\nsys.modules['tag']\nsys.modules.pop('tag', None)\nprint('tag')\n'tag'\n== b.py\nmods = ['tag', 'other']\nfor mod in map(__import__, mods): print('tag' == mod)\n== c.py\nfrom importlib import import_module as load\nKINDS = {'t': 'tag'}\ndef of(name): return load(KINDS.get(name, 'tag'))\nof('tag')\n== d.py\nmods = ['tag']\n== e/f.py\nimport sys, unittest.mock as mock\nwith mock.patch.dict(sys.modules, {'tag': None}): pass\n__import__(name='tag')\n",
                from: "tag.py",
                to: "label.py",
                gives: "== a.py\nimport importlib, sys\nimportlib.import_module('label')\nsys.modules['label']\nsys.modules.pop('label', None)\nprint('tag')\n'tag'\n== e/f.py\nimport sys, unittest.mock as mock\nwith mock.patch.dict(sys.modules, {'label': None}): pass\n__import__(name='label')\n!! named-at-run-time b.py: modules are loaded by their names here, and `tag` may be one of them\n!! named-at-run-time c.py: modules are loaded by their names here, and `tag` may be one of them\n!! named-at-run-time c.py: modules are loaded by their names here, and `tag` may be one of them\n!! string-edited a.py: the string names the module `tag`, and becomes `label`\n!! string-edited a.py: the string names the module `tag`, and becomes `label`\n!! string-edited a.py: the string names the module `tag`, and becomes `label`\n!! string-edited e/f.py: the string names the module `tag`, and becomes `label`\n!! string-edited e/f.py: the string names the module `tag`, and becomes `label`\n",
            },
        ),
        (
            "into a package, of which `__import__` would give the package",
            Case {
                files: "== tag.py\nx = 1\n== p/__init__.py\n== a.py\nimport importlib\nimportlib.import_module('tag')\n__import__('tag')\n",
                from: "tag.py",
                to: "p/tag.py",
                gives: "== a.py\nimport importlib\nimportlib.import_module('p.tag')\n__import__('tag')\n!! named-at-run-time a.py: `__import__` loads `tag` here, and gives the package of `p.tag`\n!! string-edited a.py: the string names the module `tag`, and becomes `p.tag`\n",
            },
        ),
    ]);
}

#[test]
fn names_that_are_put_together_are_told() {
    check(&[
        (
            "by what stands before and behind what is open, in a file that never says the module",
            Case {
                files: "== a/__init__.py\n== a/p/__init__.py\n== a/p/csv_plugin.py\nx = 1\n== m.py\nfrom importlib import import_module\ndef load(kind):\n    return import_module(f'a.p.{kind}_plugin')\n== n.py\nfrom importlib import import_module\ndef load(kind):\n    return import_module('a.p.%s_format' % kind)\n== o.py\nfrom importlib import import_module\ndef load(kind):\n    return import_module('{}.{}_plugin'.format('a.p', kind))\n",
                from: "a/p/csv_plugin.py",
                to: "a/p/table.py",
                gives: "!! named-at-run-time m.py: names of modules are put together here, and `a.p.csv_plugin` may be one of them\n!! named-at-run-time o.py: names of modules are put together here, and `a.p.csv_plugin` may be one of them\n",
            },
        ),
        (
            "by a constant, the package's own name, and a relative name",
            Case {
                files: "== a/__init__.py\nfrom importlib import import_module\ndef load(name):\n    return import_module(f'{__name__}.{name}'), import_module('.' + name, __name__)\n== a/cli.py\nx = 1\n== m.py\nimport importlib\nAPP = 'a'\nMODULE = f'{APP}.cli'\n== n.py\nimport importlib\nimport a\nm = importlib.import_module(a.__name__ + '.' + 'cli')\n",
                from: "a/cli.py",
                to: "a/main.py",
                gives: "!! named-at-run-time a/__init__.py: names of modules are put together here, and `a.cli` may be one of them\n!! named-at-run-time m.py: names of modules are put together here, and `a.cli` may be one of them\n!! named-at-run-time n.py: names of modules are put together here, and `a.cli` may be one of them\n",
            },
        ),
        (
            "where the modules of the package are listed",
            Case {
                files: "== a/__init__.py\n== a/p/__init__.py\n== a/p/b.py\nx = 1\n== a/q/__init__.py\n== m.py\nimport pkgutil\nfrom a import p, q\nall = [it.name for it in pkgutil.iter_modules(p.__path__)]\n== n.py\nimport pkgutil\nfrom a import q\nall = [it.name for it in pkgutil.iter_modules(q.__path__)]\n",
                from: "a/p/b.py",
                to: "a/q/b.py",
                gives: "!! named-at-run-time m.py: the modules of `a.p` are listed here, and `a.p.b` is one of them\n",
            },
        ),
    ]);
}

#[test]
fn groups_of_entry_points_stay() {
    check(&[(
        "their values follow",
        Case {
            files: "== a/__init__.py\n== a/plugins/__init__.py\n== a/plugins/csv.py\nx = 1\n== m.py\nfrom importlib.metadata import entry_points\nfound = entry_points(group='a.plugins')\nload('a.plugins.csv')\n== pyproject.toml\n[project.entry-points.\"a.plugins\"]\ncsv = \"a.plugins.csv:x\"\n== o/setup.cfg\n[options.entry_points]\na.plugins =\n    xml = a.plugins.csv:x\n== setup.py\nsetup(entry_points={'a.plugins': ['csv = a.plugins.csv:x']})\n",
            from: "a/plugins",
            to: "a/addons",
            gives: "== m.py\nfrom importlib.metadata import entry_points\nfound = entry_points(group='a.plugins')\nload('a.addons.csv')\n== o/setup.cfg\n[options.entry_points]\na.plugins =\n    xml = a.addons.csv:x\n== pyproject.toml\n[project.entry-points.\"a.plugins\"]\ncsv = \"a.addons.csv:x\"\n== setup.py\nsetup(entry_points={'a.plugins': ['csv = a.addons.csv:x']})\n!! follow-up o/setup.cfg: entry points change: what is installed knows the old ones until the project is installed again\n!! follow-up pyproject.toml: entry points change: what is installed knows the old ones until the project is installed again\n!! string-edited m.py: the string names the module `a.plugins`, and becomes `a.addons`\n!! string-edited o/setup.cfg: the string names the module `a.plugins`, and becomes `a.addons`\n!! string-edited pyproject.toml: the string names the module `a.plugins`, and becomes `a.addons`\n!! string-edited setup.py: the string names the module `a.plugins`, and becomes `a.addons`\n!! mentioned-not-changed m.py: `a.plugins` is mentioned here\n!! mentioned-not-changed o/setup.cfg: `a.plugins` is mentioned here\n!! mentioned-not-changed pyproject.toml: `a.plugins` is mentioned here\n!! mentioned-not-changed setup.py: `a.plugins` is mentioned here\n",
        },
    )]);
}

#[test]
fn settings_of_checkers_and_scripts_follow() {
    check(&[
        (
            "sections of mypy, and what is run",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== mypy.ini\n[mypy-a.b.*]\nx = 1\n[mypy-c.*,a.b]\n[mypy-xa.b]\n== run.sh\npython -m a.b\n# a.b\n",
                from: "a/b.py",
                to: "a/c.py",
                gives: "== mypy.ini\n[mypy-a.c.*]\nx = 1\n[mypy-c.*,a.c]\n[mypy-xa.b]\n== run.sh\npython -m a.c\n# a.b\n!! string-edited mypy.ini: the string names the module `a.b`, and becomes `a.c`\n!! string-edited mypy.ini: the string names the module `a.b`, and becomes `a.c`\n!! string-edited run.sh: the string names the module `a.b`, and becomes `a.c`\n!! mentioned-not-changed run.sh: `a.b` is mentioned here\n",
            },
        ),
        (
            "a package that comes to be is listed where the others are",
            Case {
                files: "== src/a/__init__.py\n== src/a/b.py\nx = 1\n== pyproject.toml\n[tool.setuptools]\npackages = [\"a\"]\npackage-dir = {\"\" = \"src\"}\n== setup.cfg\n[options]\npackages =\n    a\n    z\n[other]\nx = 1\n== setup.py\nsetup(packages=['z', 'a'], x=1)\n",
                from: "src/a/b.py",
                to: "src/a/c/b.py",
                gives: "== pyproject.toml\n[tool.setuptools]\npackages = [\"a\", \"a.c\"]\npackage-dir = {\"\" = \"src\"}\n== setup.cfg\n[options]\npackages =\n    a\n    a.c\n    z\n[other]\nx = 1\n== setup.py\nsetup(packages=['z', 'a', 'a.c'], x=1)\n++ src/a/c/__init__.py\n",
            },
        ),
        (
            "a package that is listed by its name alone",
            Case {
                files: "== a/__init__.py\n== a/b.py\nx = 1\n== pyproject.toml\n[project]\nname = \"a\"\n[tool.setuptools]\npackages = [\"a\", \"ab\"]\n[tool.setuptools.package-data]\na = [\"*.txt\"]\n[tool.isort]\nknown_first_party = [\"a\"]\n== tox.ini\n[testenv]\ncommands = pytest --cov=a\n== setup.py\nsetup(name='a', packages=['a'], package_dir={'a': 'a'})\n",
                from: "a",
                to: "c",
                gives: "== pyproject.toml\n[project]\nname = \"a\"\n[tool.setuptools]\npackages = [\"c\", \"ab\"]\n[tool.setuptools.package-data]\nc = [\"*.txt\"]\n[tool.isort]\nknown_first_party = [\"c\"]\n== setup.py\nsetup(name='a', packages=['c'], package_dir={'c': 'c'})\n== tox.ini\n[testenv]\ncommands = pytest --cov=c\n!! string-edited pyproject.toml: the string names the module `a`, and becomes `c`\n!! string-edited pyproject.toml: the string names the module `a`, and becomes `c`\n!! string-edited pyproject.toml: the string names the module `a`, and becomes `c`\n!! string-edited setup.py: the string names the module `a`, and becomes `c`\n!! string-edited setup.py: the string names the module `a`, and becomes `c`\n!! string-edited setup.py: the string names the module `a`, and becomes `c`\n!! string-edited tox.ini: the string names the module `a`, and becomes `c`\n",
            },
        ),
        (
            "a module that is listed and becomes a package",
            Case {
                files: "== a.py\nx = 1\n== pyproject.toml\n[tool.setuptools]\npy-modules = [\"a\"]\n== setup.cfg\n[options]\npy_modules = a, z\n",
                from: "a.py",
                to: "a/__init__.py",
                gives: "== pyproject.toml\n[tool.setuptools]\npackages = [\"a\"]\n!! follow-up setup.cfg: `a` is listed as a module here, and becomes a package: list it among the packages\n",
            },
        ),
        (
            "a module that is listed and goes to another directory",
            Case {
                files: "== a.py\nx = 1\n== setup.py\nsetup(py_modules=['a'])\n",
                from: "a.py",
                to: "src/a.py",
                gives: "!! follow-up setup.py: `a` is listed here, and is looked for in `src` from then on only where `package_dir` says so\n",
            },
        ),
    ]);
}

#[test]
fn what_imports_prove_is_a_root() {
    check(&[
        (
            "a directory below it",
            Case {
                files: "== tool.py\nx = 1\n== use.py\nimport tool\nfrom tool import x\nprint(tool.x)\n",
                from: "tool.py",
                to: "tools/tool.py",
                gives: "== use.py\nimport tools.tool\nfrom tools.tool import x\nprint(tools.tool.x)\n",
            },
        ),
        (
            "below the directory of a script",
            Case {
                files: "== scripts/util.py\nx = 1\n== scripts/run.py\nfrom util import x\nimport util\nprint(util.x)\n",
                from: "scripts/util.py",
                to: "scripts/lib/util.py",
                gives: "== scripts/run.py\nfrom lib.util import x\nimport lib.util\nprint(lib.util.x)\n",
            },
        ),
        (
            "not by a name of the standard library",
            Case {
                files: "== tool.py\nx = 1\n== use.py\nfrom tool import x\n",
                from: "tool.py",
                to: "email/tool.py",
                gives: "refused: `use.py` could not import `tool`, which would lie at `email/tool`: it lies in no package and below no import root, and `email` is none\n",
            },
        ),
        (
            "a directory that settings name, and that holds nothing yet",
            Case {
                files: "== a/__init__.py\nfrom a.b import x\n== a/b.py\nx = 1\n== tests/t.py\nfrom a.b import x\n== pyproject.toml\n[tool.setuptools.packages.find]\nwhere = [\"src\"]\n",
                from: "a",
                to: "src/a",
                gives: "",
            },
        ),
    ]);
}

#[test]
fn names_that_are_said_to_be_public_follow() {
    check(&[(
        "of modules of the package",
        Case {
            files: "== a/__init__.py\nfrom . import b as b\nfrom . import d as d\nprint(b.x)\n== a/b.py\nx = 1\n== a/d.py\n== m.py\nimport a\nfrom a import b\nprint(a.b.x, b.x)\n",
            from: "a/b.py",
            to: "a/c.py",
            gives: "== a/__init__.py\nfrom . import c as c\nfrom . import d as d\nprint(c.x)\n== m.py\nimport a\nfrom a import c\nprint(a.c.x, c.x)\n",
        },
    )]);
}
