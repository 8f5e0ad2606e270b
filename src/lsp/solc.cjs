// Runs one release of the Solidity compiler, compiled to JavaScript, on sources in memory: a question on stdin,
// `{"soljson": path, "input": standard JSON}`, and the compiler's standard JSON on stdout.
const { readFileSync, writeSync } = require("node:fs");

const { soljson, input } = JSON.parse(readFileSync(0, "utf8"));
const handlers = ["uncaughtException", "unhandledRejection"];
const compiler = require(soljson);
// Emscripten's handlers would turn a broken pipe into a dump of the whole compiler.
for (const event of handlers) process.removeAllListeners(event);
// Since 0.5.0; before it the entry point had another name (0.4.11 to 0.4.26).
const name = "_solidity_compile" in compiler ? "solidity_compile" : "compileStandard";
const compile = compiler.cwrap(name, "string", ["string", "number", "number"]);
const answer = Buffer.from(compile(JSON.stringify(input), 0, 0));
for (let at = 0; at < answer.length; ) {
  try {
    at += writeSync(1, answer, at);
  } catch (error) {
    if (error.code !== "EAGAIN") throw error;
  }
}
