// One warm TypeScript compiler. Each line on stdin, `{"check": [path], "isPristine": boolean}`, asks for the
// problems of these files and of the project's settings, in the tree as it stands on the disk; the answer is
// one line of JSON. The pristine tree's program is kept, and programs of changed trees start from its files.
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
  compiler.getSourceFile = sourceFile;
  return ts.createProgram({
    rootNames: parsed.fileNames,
    options: parsed.options,
    host: compiler,
    oldProgram: old,
    configFileParsingDiagnostics: ts.getConfigFileParsingDiagnostics(parsed),
  });
}

// The compiler guesses what was meant by a name that it does not find, under a code of its own. Whether it
// guesses depends on how alike names are and on how many guesses it has made, not on the program.
const GUESSED = new Map([[2551, 2339], [2550, 2339], [2561, 2353], [2724, 2305], [2820, 2322], [2833, 2503], [2568, 2339]]);
for (const code of [2552, 2570, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593]) GUESSED.set(code, 2304);

function told(problem) {
  const message = ts.flattenDiagnosticMessageText(problem.messageText, "\n").replaceAll(root, "");
  return {
    file: problem.file ? relative(root, problem.file.fileName) : "",
    line: problem.file ? problem.file.getLineAndCharacterOfPosition(problem.start).line + 1 : 0,
    code: `TS${GUESSED.get(problem.code) ?? problem.code}`,
    message: message.replace(/ (Did you mean|Do you need) [^]*/, ""),
  };
}

function problemsOf(paths, program) {
  const files = paths.map((path) => program.getSourceFile(path)).filter((file) => file !== undefined);
  return [
    ...program.getConfigFileParsingDiagnostics(),
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...files.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
}

let pristine;
for await (const line of createInterface({ input: process.stdin })) {
  const { check, isPristine } = JSON.parse(line);
  if (isPristine) pristine ??= build(undefined);
  const found = problemsOf(check, isPristine ? pristine : build(pristine));
  process.stdout.write(`${JSON.stringify({ problems: found.map(told) })}\n`);
}
