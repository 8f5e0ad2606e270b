#!/usr/bin/env python3
"""Makes everything that lspwright is handed out as, from two lists of facts: Cargo.toml and platforms.json.

    package.py manifests [--check]        writes the manifests of clients and registries, or says which are out of date
    package.py npm OUT TARGET=BINARY...   the npm packages: one per platform, and `lspwright`, which picks one of them
    package.py wheel OUT TARGET=BINARY... a Python wheel per platform, with the program as its script
    package.py archive OUT TARGET=BINARY...
                                          an archive per platform, which is a Gemini CLI extension too
    package.py targets                    the platforms, as JSON for a build matrix

TARGET is a Rust target of platforms.json. Python 3.11's standard library is all that is needed.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import platform as platform_of
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CRATE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]
NAME, VERSION, DESCRIPTION = CRATE["name"], CRATE["version"], CRATE["description"]
SHORT = "Renames, moves and refactorings as complete, checked edit plans, from real language servers."
REPOSITORY, LICENSE, KEYWORDS = CRATE["repository"], CRATE["license"], CRATE["keywords"]
PLATFORMS = json.loads((HERE / "platforms.json").read_text(encoding="utf-8"))
SCOPE = f"@{NAME}"
# The file names that shells look for.
COMPLETIONS = {"bash": f"{NAME}.bash", "zsh": f"_{NAME}", "fish": f"{NAME}.fish", "powershell": f"_{NAME}.ps1"}
# Archives and wheels of the same program are the same bytes, whenever they are made.
EPOCH = (1980, 1, 1, 0, 0, 0)


def program(target):
    return f"{NAME}.exe" if PLATFORMS[target]["os"] == "win32" else NAME


def server(command, *args):
    return {"command": command, "args": ["serve", *args]}


def npm_name(target):
    platform = PLATFORMS[target]
    return f"{SCOPE}/{platform['os']}-{platform['cpu']}"


def gemini(command):
    return {
        "name": NAME,
        "version": VERSION,
        "description": SHORT,
        "contextFileName": "packaging/gemini/GEMINI.md",
        "mcpServers": {NAME: server(command, "--project", "${workspacePath}") | {"timeout": 300_000}},
        # Gemini CLI hands a server no variables of the user's but these.
        "settings": [
            {
                "name": "Proxy",
                "description": "Through which language servers are fetched; leave it empty for none",
                "envVar": "HTTPS_PROXY",
                "sensitive": False,
            }
        ],
    }


def about():
    return {"name": NAME, "version": VERSION, "description": SHORT, "license": LICENSE, "repository": REPOSITORY}


def manifests():
    """Returns the text of each manifest by its path below the root."""
    plugin = about() | {"keywords": KEYWORDS, "author": {"name": NAME}}
    files = {
        "gemini-extension.json": gemini(NAME),
        ".claude-plugin/marketplace.json": {
            "name": NAME,
            "description": SHORT,
            "owner": {"name": NAME},
            "plugins": [{"name": NAME, "description": SHORT, "source": "./packaging/plugin"}],
        },
        # Claude Code and Codex read the same folder, each with a manifest of its own.
        "packaging/plugin/.claude-plugin/plugin.json": plugin | {"mcpServers": {NAME: server(NAME)}},
        "packaging/plugin/.codex-plugin/plugin.json": plugin | {"mcpServers": "./codex.mcp.json", "skills": "./skills/"},
        "packaging/plugin/codex.mcp.json": {"mcpServers": {NAME: server(NAME) | {"tool_timeout_sec": 300}}},
        "packaging/server.json": {
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": f"io.github.{NAME}/{NAME}",
            "description": SHORT,
            "version": VERSION,
            "repository": {"url": REPOSITORY, "source": "github"},
            "packages": [
                {
                    "registryType": registry,
                    "identifier": NAME,
                    "version": VERSION,
                    "transport": {"type": "stdio"},
                    "packageArguments": [{"type": "positional", "value": "serve"}],
                }
                for registry in ("npm", "pypi")
            ],
        },
    }
    return {path: json.dumps(value, indent=2, ensure_ascii=False) + "\n" for path, value in files.items()}


def write_manifests(check):
    stale = []
    for path, text in manifests().items():
        file = ROOT / path
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(path)
        if not check:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    if check and stale:
        sys.exit(f"out of date: {', '.join(stale)}; run `python3 packaging/package.py manifests`")


def add(tar, name, data, mode=0o644):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), mode
    tar.addfile(info, io.BytesIO(data))


def tarball(path, files):
    """Writes `{name: (bytes, mode)}` as a .tar.gz."""
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="", compresslevel=6) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for name, (data, mode) in sorted(files.items()):
                add(tar, name, data, mode)
    print(path)


def legal():
    return {name: ((ROOT / name).read_bytes(), 0o644) for name in ("README.md", "LICENSE")}


def npm_package(out, manifest, files):
    manifest = about() | {"repository": {"type": "git", "url": f"git+{REPOSITORY}.git"}} | manifest
    files = files | legal() | {"package.json": (json.dumps(manifest, indent=2).encode() + b"\n", 0o644)}
    name = manifest["name"].lstrip("@").replace("/", "-")
    tarball(out / f"{name}-{VERSION}.tgz", {f"package/{file}": what for file, what in files.items()})


def npm(out, binaries):
    for target, binary in binaries.items():
        platform = PLATFORMS[target]
        manifest = {"name": npm_name(target), "os": [platform["os"]], "cpu": [platform["cpu"]]}
        manifest["description"] = f"{NAME} for {platform['os']} on {platform['cpu']}."
        npm_package(out, manifest, {f"bin/{program(target)}": (binary.read_bytes(), 0o755)})
    manifest = {
        "keywords": KEYWORDS,
        "bin": {NAME: f"bin/{NAME}.mjs"},
        "engines": {"node": ">=18"},
        "mcpName": f"io.github.{NAME}/{NAME}",
        "optionalDependencies": {npm_name(target): VERSION for target in PLATFORMS},
    }
    npm_package(out, manifest, {f"bin/{NAME}.mjs": ((HERE / f"npm/{NAME}.mjs").read_bytes(), 0o755)})


def wheel(out, binaries):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for target, binary in binaries.items():
        tags = PLATFORMS[target]["wheel"]
        info = f"{NAME}-{VERSION}.dist-info"
        metadata = (
            f"Metadata-Version: 2.4\nName: {NAME}\nVersion: {VERSION}\nSummary: {SHORT}\nLicense-Expression: {LICENSE}\n"
            f"License-File: LICENSE\nProject-URL: Repository, {REPOSITORY}\nKeywords: {','.join(KEYWORDS)}\n"
            # What the MCP registry looks for, to know that both are of the same owner.
            f"Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{readme}\n"
            f"<!-- mcp-name: io.github.{NAME}/{NAME} -->\n"
        )
        tagged = "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
        files = {
            f"{NAME}-{VERSION}.data/scripts/{program(target)}": (binary.read_bytes(), 0o755),
            f"{info}/METADATA": (metadata.encode(), 0o644),
            f"{info}/WHEEL": (f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\n{tagged}".encode(), 0o644),
            f"{info}/licenses/LICENSE": ((ROOT / "LICENSE").read_bytes(), 0o644),
        }
        record = ""
        for name, (data, _) in files.items():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(data)}\n"
        files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
        path = out / f"{NAME}-{VERSION}-py3-none-{tags}.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as zipped:
            for name, (data, mode) in files.items():
                entry = zipfile.ZipInfo(name, EPOCH)
                entry.external_attr = (0o100000 | mode) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                zipped.writestr(entry, data)
        print(path)


def from_the_program(binaries):
    """Manual pages and completions, as the binary for this machine writes them; none where there is no such binary."""
    machine = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform_of.machine())
    here = [it for target, it in binaries.items() if (PLATFORMS[target]["os"], PLATFORMS[target]["cpu"]) == (sys.platform, machine)]
    if not here:
        print("no binary runs here: no manual pages and no completions", file=sys.stderr)
        return {}
    run = lambda *words: subprocess.run([here[0].resolve(), *words], check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as pages:
        run("--quiet", "manual", pages)
        files = {f"man/{page.name}": (page.read_bytes(), 0o644) for page in sorted(Path(pages).iterdir())}
    return files | {f"completions/{name}": (run("completions", shell), 0o644) for shell, name in COMPLETIONS.items()}


def archive(out, binaries):
    shared = {path: (path.read_bytes(), 0o644) for path in sorted((ROOT / "commands").rglob("*.toml"))}
    shared = {path.relative_to(ROOT).as_posix(): what for path, what in shared.items()}
    shared |= from_the_program(binaries)
    shared["packaging/gemini/GEMINI.md"] = ((HERE / "gemini/GEMINI.md").read_bytes(), 0o644)
    for target, binary in binaries.items():
        platform = PLATFORMS[target]
        manifest = json.dumps(gemini("${extensionPath}${/}" + program(target)), indent=2).encode() + b"\n"
        files = {"gemini-extension.json": (manifest, 0o644), program(target): (binary.read_bytes(), 0o755)}
        tarball(out / f"{platform['os']}.{platform['cpu']}.{NAME}.tar.gz", files | shared | legal())


def binary_of(text):
    target, equals, path = text.partition("=")
    if target not in PLATFORMS or not equals:
        raise argparse.ArgumentTypeError(f"`{text}` is not TARGET=BINARY with one of {', '.join(PLATFORMS)}")
    if not Path(path).is_file():
        raise argparse.ArgumentTypeError(f"there is no file `{path}`")
    return target, Path(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("manifests").add_argument("--check", action="store_true")
    commands.add_parser("targets")
    makers = {"npm": npm, "wheel": wheel, "archive": archive}
    for name in makers:
        command = commands.add_parser(name)
        command.add_argument("out", type=Path)
        command.add_argument("binaries", type=binary_of, nargs="+", metavar="TARGET=BINARY")
    args = parser.parse_args()
    if args.command == "manifests":
        write_manifests(args.check)
    elif args.command == "targets":
        print(json.dumps(list(PLATFORMS)))
    else:
        args.out.mkdir(parents=True, exist_ok=True)
        makers[args.command](args.out, dict(args.binaries))


main()
