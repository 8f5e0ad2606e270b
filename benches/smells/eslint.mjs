// Prints what ESLint and its plugins count in every function: one JSON object per file.
// Arguments: the directory that the tools are installed in, then the root; the files' names come on stdin.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tools, root] = process.argv.slice(2);
const require = createRequire(`${tools}/`);
const load = async (name) => (await import(pathToFileURL(require.resolve(name)).href)).default;
const { Linter } = require("eslint");
const { builtinRules } = require("eslint/use-at-your-own-risk");
const parser = await load("@typescript-eslint/parser");
const sonarjs = await load("eslint-plugin-sonarjs");

// What is reported of the file at hand: [rule, descriptor].
let reports = [];
const listening = (name, rule) => ({
  meta: { ...rule.meta, schema: false, defaultOptions: undefined },
  create: (context) => {
    const report = (descriptor) => reports.push([name, descriptor]);
    return rule.create(Object.create(context, { report: { value: report } }));
  },
});
const functions = {
  create: (context) => {
    const see = (node) => node.body && context.report({ node, message: "function" });
    const { scopes } = context.sourceCode.scopeManager;
    const names = scopes.find(({ type }) => type === "module")?.set ?? new Map();
    const places = [...names.values()].flatMap(({ name, defs }) => defs.map((it) => `${name}:${it.name.loc.start.line}`));
    context.report({ loc: { line: 1, column: 0 }, places });
    return { FunctionDeclaration: see, FunctionExpression: see, ArrowFunctionExpression: see };
  },
};
const rules = {
  functions: listening("functions", functions),
  cyclomatic: listening("cyclomatic", builtinRules.get("complexity")),
  params: listening("params", builtinRules.get("max-params")),
  lines: listening("lines", builtinRules.get("max-lines-per-function")),
  cognitive: listening("cognitive", sonarjs.rules["cognitive-complexity"]),
  unused: listening("unused", builtinRules.get("no-unused-vars")),
};
const config = [{
  files: ["**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}"],
  languageOptions: { parser, parserOptions: { ecmaFeatures: { jsx: true } } },
  linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: "off" },
  plugins: { own: { rules } },
  rules: {
    "own/functions": 2,
    "own/cyclomatic": [2, 0],
    "own/params": [2, 0],
    "own/lines": [2, { max: 0, IIFEs: true }],
    "own/cognitive": [2, 0],
    "own/unused": [2, { args: "none", caughtErrors: "none" }],
  },
}];

const isMember = (node) => ["MethodDefinition", "PropertyDefinition"].includes(node.type)
  || node.type === "Property" && (node.method || node.kind !== "init");

function measured(name) {
  const text = readFileSync(join(root, name), "utf8");
  reports = [];
  const problems = new Linter({ configType: "flat", cwd: "/" }).verify(text, config, { filename: `/${name}` });
  if (problems.some((problem) => problem.fatal)) return { file: name, functions: [], unused: [] };
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const bytes = (offset) => Buffer.byteLength(text.slice(0, offset));
  const rows = new Map();
  const own = new Set(reports.flatMap(([, { places }]) => places ?? []));
  for (const [, { node }] of reports.filter(([rule, { node }]) => rule === "functions" && node)) {
    const outer = node.parent && isMember(node.parent) && node.parent.value === node ? node.parent : node;
    rows.set(node, {
      range: outer.range, body: bytes(node.body.range[0]), line: outer.loc.start.line,
      cyclomatic: 1, cognitive: 0, params: 0, lines: 0,
    });
  }
  // A descriptor names the function, the member that it is the value of, or only a place in its head.
  const innermost = (place) => {
    const at = starts[place.line - 1] + place.column;
    const around = [...rows.values()].filter(({ range }) => range[0] <= at && at < range[1]);
    return around.sort((a, b) => b.range[0] - a.range[0] || a.range[1] - b.range[1])[0];
  };
  const unused = [];
  for (const [rule, { node, loc, data, message }] of reports) {
    const line = (loc ?? node?.loc)?.start?.line;
    // What stands inside of something is that thing's own affair; so are imports.
    if (rule === "unused" && own.has(`${data.varName}:${line}`)) unused.push({ name: data.varName, line });
    if (rule === "functions" || rule === "unused") continue;
    const row = rows.get(node) ?? rows.get(node?.value) ?? (node ? undefined : innermost(loc.start));
    const count = data?.complexity ?? data?.count ?? data?.lineCount ?? data?.complexityAmount;
    // A field's value is counted a second time, as what initializes the field.
    if (row) row[rule] = Math.max(row[rule], Number(count ?? /from (\d+)/.exec(message)?.[1]));
  }
  return { file: name, functions: [...rows.values()].map(({ range, ...row }) => row), unused };
}

for (const name of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  process.stdout.write(`${JSON.stringify(measured(name))}\n`);
}
