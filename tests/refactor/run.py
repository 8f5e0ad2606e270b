"""Runs Python programs of cases. Each line of the input is a project's directory, whose `main.py` runs there in a process of
its own. Each line of the output is a JSON object: `ok`, what the program said (`stdout`) and what else there is to say
(`stderr`)."""

import json
import os
import runpy
import sys
import tempfile
import traceback


def run(project):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os._exit(main(project))
        _, status = os.waitpid(child, 0)
        return {"ok": status == 0, "stdout": whole(out), "stderr": whole(err)}


def main(project):
    os.chdir(project)
    sys.argv, sys.path[0], sys.dont_write_bytecode = ["main.py"], project, True
    code = 0
    try:
        runpy.run_path("main.py", run_name="__main__")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    return code


def whole(file):
    file.seek(0)
    return file.read().decode()


for line in sys.stdin:
    print(json.dumps(run(line.rstrip("\n"))), flush=True)
