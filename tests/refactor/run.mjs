// Runs a TypeScript program of a case: node run.mjs TYPESCRIPT DIR. Its sources are stripped of their types into a
// directory of their own, and `main` is imported there.
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";

const [typescript, project] = process.argv.slice(2);
const ts = createRequire(import.meta.url)(typescript);
const out = mkdtempSync(join(tmpdir(), "lspwright-case-"));
writeFileSync(join(out, "package.json"), '{"type": "module"}');
const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.React };
for (const entry of readdirSync(project, { recursive: true })) {
    if (!/\.(ts|tsx|js|cjs)$/.test(entry)) continue;
    const target = join(out, entry.replace(/\.tsx?$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    const text = readFileSync(join(project, entry), "utf8");
    writeFileSync(target, entry.endsWith(".cjs") ? text : ts.transpileModule(text, { compilerOptions: options, fileName: entry }).outputText);
}
try {
    await import(pathToFileURL(join(out, "main.js")).href);
} finally {
    rmSync(out, { recursive: true });
}
