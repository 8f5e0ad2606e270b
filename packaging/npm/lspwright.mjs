#!/usr/bin/env node
// Starts the program of this platform's package, which npm has installed as an optional dependency.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";

const name = `@lspwright/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "lspwright.exe" : "lspwright";

function program() {
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
  } catch {
    console.error(
      `lspwright: ${name} is not installed. Either npm was told to leave optional dependencies out (--omit=optional), ` +
        `or there is no package for ${process.platform} on ${process.arch}: then build it with "cargo install lspwright".`,
    );
    process.exit(3);
  }
}

const child = spawn(program(), process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // A terminal sends SIGINT to both; what comes to this process alone is passed on.
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`lspwright: ${error.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
