// Runs TypeScript programs of cases: node run.mjs TYPESCRIPT. Each line of the input is a project's directory; its sources
// are stripped of their types into a directory of their own, and `main` is run there in a thread. Each line of the output
// is a JSON object: `ok`, what the program said (`stdout`) and what else there is to say (`stderr`).
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const ts = createRequire(import.meta.url)(process.argv[2]);
const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.React };

function stripInto(out, project) {
    writeFileSync(join(out, "package.json"), '{"type": "module"}');
    for (const entry of readdirSync(project, { recursive: true })) {
        if (!/\.(ts|tsx|js|cjs)$/.test(entry) || entry.endsWith(".d.ts")) continue;
        const target = join(out, entry.replace(/\.tsx?$/, ".js"));
        mkdirSync(dirname(target), { recursive: true });
        const text = readFileSync(join(project, entry), "utf8");
        writeFileSync(target, entry.endsWith(".cjs") ? text : ts.transpileModule(text, { compilerOptions: options, fileName: entry }).outputText);
    }
}

async function text(stream) {
    let whole = "";
    for await (const chunk of stream.setEncoding("utf8")) whole += chunk;
    return whole;
}

async function run(project) {
    const out = mkdtempSync(join(tmpdir(), "lspwright-case-"));
    try {
        stripInto(out, project);
        const program = new Worker(pathToFileURL(join(out, "main.js")), { stdout: true, stderr: true });
        const ended = new Promise((resolve) => {
            let thrown = "";
            program.on("error", (error) => (thrown = String(error?.stack ?? error)));
            program.on("exit", (code) => resolve({ code, thrown }));
        });
        const [stdout, stderr, { code, thrown }] = await Promise.all([text(program.stdout), text(program.stderr), ended]);
        return { ok: code === 0, stdout, stderr: stderr + thrown };
    } finally {
        rmSync(out, { recursive: true });
    }
}

for await (const project of createInterface({ input: process.stdin })) {
    console.log(JSON.stringify(await run(project)));
}
