// Scripts and the declaration files that are published for them: what the one hands out, the other declares.
"use strict";

const { Flows } = require("./flows.js");

/** The last program of pairs, with the programs that it was made of. */
let last = { programs: [], wanted: "", made: undefined };

/** A program with the pairs of files in it, and what it takes for one another; nothing where no pair is there. */
function twinned(ts, programs, twins) {
  if (twins.length === 0) return undefined;
  const wanted = JSON.stringify(twins);
  const isSame = last.wanted === wanted && programs.length === last.programs.length;
  if (!isSame || programs.some((program, index) => last.programs[index].deref() !== program)) {
    const made = make(ts, programs, twins);
    last = { programs: programs.map((program) => new WeakRef(program)), wanted, made };
  }
  return last.made;
}

function make(ts, programs, twins) {
  const script = programs.find((program) => twins.some((pair) => program.getSourceFile(pair.script)));
  const options = { ...(script ?? programs[0]).getCompilerOptions(), allowJs: true, noEmit: true };
  const host = ts.createCompilerHost(options, true);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => known(programs, name) ?? read(name, ...rest);
  const rootNames = twins.flatMap((pair) => [pair.script, pair.declaration]);
  const program = ts.createProgram({ rootNames, options, host });
  const flows = new Flows(ts, program);
  return { program, flows, pairs: twins.flatMap((pair) => modules(ts, program, pair)) };
}

function known(programs, name) {
  for (const program of programs) {
    const file = program.getSourceFile(name);
    if (file) return file;
  }
  return undefined;
}

/** What the two files are to those who import them, as types. */
function modules(ts, program, { script, declaration }) {
  const checker = program.getTypeChecker();
  const [from, to] = [script, declaration].map((name) => program.getSourceFile(name));
  // A CommonJS module is asked for no symbol by its place.
  const [ours, declared] = [from, to].map((file) => file?.symbol);
  if (!ours || !declared) return [];
  const whole = (symbol) => checker.resolveExternalModuleSymbol?.(symbol) ?? symbol;
  const typeOf = (symbol) => checker.getTypeOfSymbolAtLocation(symbol, to);
  const pairs = [[typeOf(whole(ours)), typeOf(whole(declared)), to]];
  const byDefault = declared.exports?.get("default");
  // `module.exports = x` beside `export default x`.
  if (byDefault && !ours.exports?.get("default")) pairs.push([typeOf(whole(ours)), typeOf(byDefault), to]);
  return pairs;
}

module.exports = { twinned };
