"""A plugin of pytest that writes what became of each test, a line of JSON for each."""
import json
import os
import sys

REPORT = os.environ.get("LSPWRIGHT_REPORT", os.devnull)
FILTER = os.environ.get("LSPWRIGHT_FILTER", "")
ORIGINAL = os.environ.get("LSPWRIGHT_ORIGINAL", "")


def tell(**row):
    with open(REPORT, "a", encoding="utf-8", errors="replace") as report:
        report.write(json.dumps(row) + "\n")


def pytest_configure(config):
    # The workers of xdist hand what they found to the one that started them.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Teller(config), "lspwright-teller")


def pytest_collection_modifyitems(config, items):
    if FILTER:
        left_out = [item for item in items if FILTER not in item.nodeid]
        items[:] = [item for item in items if FILTER in item.nodeid]
        if left_out:
            config.hook.pytest_deselected(items=left_out)


class Teller:
    def __init__(self, config):
        self.root = str(getattr(config, "rootpath", None) or config.rootdir)

    def place(self, path):
        return os.path.normpath(os.path.join(self.root, path)) if path else None

    def pytest_runtest_logreport(self, report):
        skipped = report.outcome == "skipped"
        if report.outcome not in ("passed", "failed", "skipped"):
            return
        if report.outcome == "passed" and report.when != "call":
            return
        # A part of a test that is told apart: the test itself is told as well.
        part = getattr(report, "context", None)
        if part is not None and report.outcome != "failed":
            return
        path, line = (report.location or (None, None, None))[:2]
        names = report.nodeid.split("::", 1)
        name = names[-1]
        if part is not None:
            name += " " + str(getattr(part, "msg", None) or dict(getattr(part, "kwargs", {})))
        if report.when == "teardown":
            name += " (teardown)"
        output = None
        if skipped:
            known = report.longrepr
            output = getattr(report, "wasxfail", None) or (known[2] if isinstance(known, tuple) else str(known))
        elif report.outcome == "failed":
            output = report.longreprtext
            for title, text in report.sections:
                output += "\n---- " + title + " ----\n" + text
        tell(
            name=name,
            outcome=report.outcome,
            output=output,
            file=self.place(path),
            line=None if line is None else line + 1,
        )

    def pytest_collectreport(self, report):
        path = report.nodeid.split("::", 1)[0]
        if report.failed:
            tell(name=report.nodeid, outcome="failed", output=report.longreprtext, file=self.place(path), line=None)
        elif report.skipped:
            known = report.longrepr
            output = known[2] if isinstance(known, tuple) else str(known)
            tell(name=report.nodeid, outcome="skipped", output=output, file=self.place(path), line=None)

    def pytest_sessionfinish(self, session, exitstatus):
        loaded = []
        if ORIGINAL:
            files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
            loaded = sorted(file for file in files if isinstance(file, str) and file.startswith(ORIGINAL + os.sep))
        tell(done=True, loaded=loaded)
