// One warm basedpyright. Each line on stdin is `{"changes": [[path, type]], "check": [path]}` with LSP's
// change types; the answer is one line of JSON with the problems of the files to check. The server reads
// everything from the disk; a document is opened only where it says nothing of it otherwise.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

const [server, root] = process.argv.slice(2);
const child = spawn(process.execPath, ["--max-old-space-size=6000", server, "--stdio"], { stdio: ["pipe", "pipe", "ignore"] });
const waiting = new Map();
let lastId = 0;
let foundSources;
const ready = new Promise((resolve) => (foundSources = resolve));

function send(message) {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function request(method, params) {
  const id = ++lastId;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

const settings = {
  "basedpyright.analysis": { diagnosticMode: "workspace" },
  basedpyright: { analysis: { diagnosticMode: "workspace" } },
};

function receive(message) {
  if (message.method === "window/logMessage" && /Found \d+ source file|No source files found/.test(message.params.message)) foundSources();
  if (message.method && message.id !== undefined) {
    const isConfiguration = message.method === "workspace/configuration";
    send({ id: message.id, result: isConfiguration ? message.params.items.map((item) => settings[item.section] ?? {}) : null });
  } else if (waiting.has(message.id)) {
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    message.error ? reject(new Error(message.error.message)) : resolve(message.result);
  }
}

let buffer = Buffer.alloc(0);
child.stdout.on("data", (chunk) => {
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    const body = buffer.subarray(end + 4, end + 4 + length).toString();
    buffer = buffer.subarray(end + 4 + length);
    receive(JSON.parse(body));
  }
});
child.on("exit", () => process.exit(1));

await request("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  workspaceFolders: [{ uri: pathToFileURL(root).href, name: "check" }],
  capabilities: {
    workspace: { configuration: true, workspaceFolders: true, didChangeWatchedFiles: { dynamicRegistration: true } },
    textDocument: { diagnostic: { dynamicRegistration: true } },
    window: { workDoneProgress: false },
  },
});
send({ method: "initialized", params: {} });
await ready;

async function problemsOf(path) {
  const uri = pathToFileURL(path).href;
  for (let attempt = 0; ; attempt++) {
    // Of a file that its settings leave out it says so for good, unless the file is open.
    if (attempt === 8) {
      const text = readFileSync(path, "utf8");
      send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "python", version: 0, text } } });
    }
    try {
      const report = await request("textDocument/diagnostic", { textDocument: { uri } });
      // Of a file that is new it says "unchanged" until it has read its list of files again.
      if (!report?.items) throw new Error(`no diagnostics of ${path}: ${JSON.stringify(report)}`);
      if (attempt >= 8) send({ method: "textDocument/didClose", params: { textDocument: { uri } } });
      return report.items.map((item) => ({
        file: relative(root, fileURLToPath(uri)),
        line: item.range.start.line + 1,
        code: `${item.severity === 1 ? "" : "warning "}${item.code ?? "syntax"}`,
        severity: item.severity,
        message: item.message,
      }));
    } catch (error) {
      if (attempt === 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { changes, check } = JSON.parse(line);
  if (changes.length > 0) {
    send({
      method: "workspace/didChangeWatchedFiles",
      params: { changes: changes.map(([path, type]) => ({ uri: pathToFileURL(path).href, type })) },
    });
  }
  const found = [];
  // What else a directory takes along is none of its business.
  for (const path of check.filter((path) => /\.pyi?$/.test(path))) found.push(...(await problemsOf(path)));
  const problems = found.filter((problem) => problem.severity <= 2);
  process.stdout.write(`${JSON.stringify({ problems })}\n`);
}
child.kill();
