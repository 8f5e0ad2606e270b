# Speaks to mcp-refactoring as its users do, with lspwright behind it: python client.py LSPWRIGHT PROJECT. Prints a JSON
# list of what its tools answered.
import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

NAME = "replace-magic-number-with-symbolic-constant"
TARGET = {"refactoring": NAME, "target": "physics.py::energy", "params": {"name": "GRAVITY", "value": "9.81"}}
CALLS = [
    ("list_refactorings", {"language": "python"}),
    ("preview_refactoring", TARGET),
    ("apply_refactoring", TARGET),
    ("preview_refactoring", {"refactoring": "duplicate-observed-data", "target": "physics.py::energy"}),
]


async def main(backend: str, project: str) -> None:
    env = dict(os.environ, MCP_REFACTORING_PYTHON_COMMAND=backend, LSPWRIGHT_APPLY="1")
    server = StdioServerParameters(command=sys.executable, args=["-m", "mcp_refactoring"], env=env, cwd=project)
    with open(os.devnull, "w") as nowhere:
        async with stdio_client(server, errlog=nowhere) as streams, ClientSession(*streams) as session:
            await session.initialize()
            said = []
            for tool, arguments in CALLS:
                answer = await session.call_tool(tool, arguments)
                with open(os.path.join(project, "physics.py")) as file:
                    said.append({"text": answer.content[0].text, "file": file.read()})
            print(json.dumps(said))


asyncio.run(main(*sys.argv[1:]))
