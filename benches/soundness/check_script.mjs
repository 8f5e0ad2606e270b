// One warm TypeScript compiler. Each line on stdin asks for a check of the tree as it stands on the disk;
// the answer is one line of JSON. The first answer is the baseline, and later checks start from its
// program, so that only what a change can have affected is checked again.
import { createHash } from "node:crypto";
import { relative } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [typescript, root, config] = process.argv.slice(2);
const { default: ts } = await import(pathToFileURL(typescript).href);
const parsedFiles = new Map();

function sourceFile(path, options) {
  const text = ts.sys.readFile(path);
  if (text === undefined) return undefined;
  const version = createHash("sha1").update(text).digest("hex");
  const key = `${path} ${options.impliedNodeFormat}`;
  let file = parsedFiles.get(key);
  if (file?.version !== version) {
    file = ts.createSourceFile(path, text, options, true);
    file.version = version;
    parsedFiles.set(key, file);
  }
  return file;
}

function build(old) {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} };
  const forced = { noEmit: true, noErrorTruncation: true, skipLibCheck: true, composite: false, incremental: false };
  const parsed = ts.getParsedCommandLineOfConfigFile(config, forced, host);
  const compiler = ts.createCompilerHost(parsed.options);
  compiler.createHash = (text) => createHash("sha1").update(text).digest("hex");
  compiler.getSourceFile = sourceFile;
  const broken = ts.getConfigFileParsingDiagnostics(parsed);
  return ts.createSemanticDiagnosticsBuilderProgram(parsed.fileNames, parsed.options, compiler, old, broken);
}

// The compiler guesses at a name that was meant, under a code of its own; whether it finds one depends on how
// alike the names are, not on whether the program is right.
const GUESSED = { 2551: 2339, 2552: 2304, 2561: 2353, 2570: 2304, 2724: 2305, 2820: 2322, 2833: 2503 };

function problems(builder) {
  const all = [
    ...builder.getConfigFileParsingDiagnostics(),
    ...builder.getOptionsDiagnostics(),
    ...builder.getGlobalDiagnostics(),
    ...builder.getSyntacticDiagnostics(),
    ...builder.getSemanticDiagnostics(),
  ];
  return all.map((problem) => ({
    file: problem.file ? relative(root, problem.file.fileName) : "",
    line: problem.file ? problem.file.getLineAndCharacterOfPosition(problem.start).line + 1 : 0,
    code: `TS${GUESSED[problem.code] ?? problem.code}`,
    message: ts.flattenDiagnosticMessageText(problem.messageText, "\n").replaceAll(root, "").replace(/ Did you mean .*\?/g, ""),
  }));
}

let baseline;
for await (const _line of createInterface({ input: process.stdin })) {
  const builder = build(baseline);
  const found = problems(builder);
  baseline ??= builder;
  process.stdout.write(`${JSON.stringify({ files: builder.getSourceFiles().length, problems: found })}\n`);
}
