"""Parses the files that its input lists, and writes a line of JSON for each that is not Python."""
import json
import sys
import warnings

warnings.simplefilter("ignore")
failed = False
for file in json.load(sys.stdin):
    try:
        with open(file, "rb") as source:
            compile(source.read(), file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        failed = True
        line, column = getattr(error, "lineno", None) or 1, getattr(error, "offset", None) or 1
        message = type(error).__name__ + ": " + (getattr(error, "msg", None) or str(error))
        print(json.dumps({"file": file, "line": line, "column": column, "message": message}))
sys.exit(1 if failed else 0)
