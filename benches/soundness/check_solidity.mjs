// One warm Solidity compiler. Each line on stdin, `{"check": [path], "isPristine": boolean}`, asks for the problems of
// these files in the tree as it stands on the disk; the answer is one line of JSON. Where no signature of any function,
// event or error is new, every contract's bytecode has to be one that the pristine tree has: else that is a problem too.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";

const [soljson, root] = process.argv.slice(2);
const compiler = createRequire(import.meta.url)(soljson);
process.removeAllListeners("uncaughtException");
process.removeAllListeners("unhandledRejection");
const entry = "_solidity_compile" in compiler ? "solidity_compile" : "compileStandard";
const run = compiler.cwrap(entry, "string", ["string", "number", "number"]);
const isNew = Number(/(\d+)\.\d+\+/.exec(compiler.cwrap(entry === "compileStandard" ? "version" : "solidity_version", "string", [])())[1]) >= 6;

function sources() {
  const found = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile() && one.name.endsWith(".sol")).map((one) => relative(root, join(one.parentPath ?? one.path, one.name)));
  return new Map(files.sort().map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

function importsOf(file, text) {
  const paths = [...text.matchAll(/^\s*(?:import\b|\}\s*from\b)[^;"']*["']([^"']+)["']/gm)].map((match) => match[1]);
  return paths.map((path) => (path.startsWith(".") ? join(dirname(file), path) : path));
}

function closure(files, all) {
  const reached = new Set();
  const open = files.filter((file) => all.has(file));
  while (open.length > 0) {
    const file = open.pop();
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...importsOf(file, all.get(file)).filter((target) => all.has(target)));
  }
  return reached;
}

function compile(files, all) {
  const settings = {
    optimizer: { enabled: true },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
    ...(isNew ? { metadata: { bytecodeHash: "none" } } : {}),
  };
  const input = { language: "Solidity", sources: Object.fromEntries([...files].map((file) => [file, { content: all.get(file) }])), settings };
  return JSON.parse(run(JSON.stringify(input), 0, 0));
}

function signature(one) {
  const type = (input) => input.type + (input.components ? `(${input.components.map(type).join()})` : "");
  return `${one.type} ${one.name ?? ""}(${(one.inputs ?? []).map(type).join()})`;
}

// Before 0.6 the metadata's hash cannot be left out; the places of libraries are named after them.
function bare(code) {
  return code.replace(/(a165627a7a72305820|a265627a7a72305820|a265627a7a72315820)[0-9a-f]{64}/g, "$1").replace(/_.{39}/g, "_");
}

function contracts(output) {
  const all = Object.entries(output.contracts ?? {}).flatMap(([file, named]) => Object.entries(named).map(([name, one]) => ({ file, name, ...one })));
  return all.map(({ file, name, abi, evm }) => ({ file, name, signatures: (abi ?? []).map(signature), code: bare(evm?.bytecode?.object ?? "") }));
}

let pristine;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { check, isPristine } = JSON.parse(line);
  const all = sources();
  const wanted = new Set(check.map((file) => relative(root, file)));
  pristine ??= (() => {
    const output = compile(new Set(all.keys()), all);
    const found = contracts(output);
    return { output, codes: new Set(found.map((one) => one.code)), signatures: new Set(found.flatMap((one) => one.signatures)) };
  })();
  const output = isPristine ? pristine.output : compile(closure([...wanted], all), all);
  const problems = (output.errors ?? [])
    .filter((error) => error.severity === "error")
    .map((error) => {
      const file = error.sourceLocation?.file ?? "";
      const line = (all.get(file) ?? "").slice(0, error.sourceLocation?.start ?? 0).split("\n").length;
      return { file, line, code: error.errorCode ?? error.type, message: error.message };
    })
    .filter((problem) => problem.file === "" || wanted.has(problem.file));
  const found = isPristine ? [] : contracts(output);
  if (found.every((one) => one.signatures.every((each) => pristine.signatures.has(each)))) {
    for (const one of found.filter((one) => !pristine.codes.has(one.code))) {
      problems.push({ file: one.file, line: 1, code: "bytecode", message: `the bytecode of ${one.name} is another` });
    }
  }
  process.stdout.write(`${JSON.stringify({ problems })}\n`);
});
