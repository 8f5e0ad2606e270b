"""Runs the tests of unittest, and writes what became of each, a line of JSON for each."""
import inspect
import json
import os
import sys
import unittest

REPORT = os.environ.get("LSPWRIGHT_REPORT", os.devnull)
FILTER = os.environ.get("LSPWRIGHT_FILTER", "")
ORIGINAL = os.environ.get("LSPWRIGHT_ORIGINAL", "")


def tell(**row):
    with open(REPORT, "a", encoding="utf-8", errors="replace") as report:
        report.write(json.dumps(row) + "\n")


def place(test):
    """The file and the line of a test."""
    method = getattr(type(test), getattr(test, "_testMethodName", ""), None)
    try:
        return os.path.abspath(inspect.getsourcefile(method)), inspect.getsourcelines(method)[1]
    except (TypeError, OSError):
        return None, None


class Result(unittest.TextTestResult):
    def told(self, test, outcome, output=None, name=None):
        file, line = place(test)
        if name is None:
            name = test.id()
        if name.startswith("unittest.loader._FailedTest."):
            name = name[len("unittest.loader._FailedTest."):]
            file, line = None, None
        tell(name=name, outcome=outcome, output=output, file=file, line=line)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.told(test, "passed")

    def addError(self, test, err):
        super().addError(test, err)
        self.told(test, "failed", self._exc_info_to_string(err, test))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.told(test, "failed", self._exc_info_to_string(err, test))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.told(test, "failed", self._exc_info_to_string(err, test), subtest.id())

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.told(test, "skipped", reason)

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.told(test, "skipped", "an expected failure")

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.told(test, "failed", "it succeeds, and was expected to fail")


def top_of(directory):
    """The directory that a package is imported from."""
    while os.path.exists(os.path.join(directory, "__init__.py")):
        directory = os.path.dirname(directory)
    return directory


def found(path):
    loader = unittest.TestLoader()
    if FILTER:
        loader.testNamePatterns = ["*" + FILTER + "*"]
    if os.path.isfile(path):
        directory, name = os.path.split(path)
        return loader.discover(directory, pattern=name, top_level_dir=top_of(directory))
    all_of_them = unittest.TestSuite()
    starts = [path]
    # What is no package is not looked into from above.
    for name in ("tests", "test", "testing"):
        below = os.path.join(path, name)
        if os.path.isdir(below) and not os.path.exists(os.path.join(below, "__init__.py")):
            starts.append(below)
    for start in starts:
        loader = unittest.TestLoader()
        if FILTER:
            loader.testNamePatterns = ["*" + FILTER + "*"]
        pattern = "*test*.py" if start != path else "test*.py"
        all_of_them.addTests(loader.discover(start, pattern=pattern, top_level_dir=top_of(start)))
    return all_of_them


if __name__ == "__main__":
    # As `python -m unittest` has it: the directory where it runs, not that of this script.
    sys.path[0] = os.getcwd()
    suite = found(os.path.abspath(sys.argv[1]))
    result = unittest.TextTestRunner(stream=sys.stderr, resultclass=Result).run(suite)
    loaded = []
    if ORIGINAL:
        files = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
        loaded = sorted(file for file in files if isinstance(file, str) and file.startswith(ORIGINAL + os.sep))
    tell(done=True, loaded=loaded)
    sys.exit(0 if result.wasSuccessful() else 1)
