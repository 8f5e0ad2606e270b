// Decodes TOON from stdin with the format's own decoder, strictly, and prints it as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { decode } = await import(pathToFileURL(createRequire(`${process.argv[2]}/`).resolve("@toon-format/toon")).href);
const text = readFileSync(0, "utf8").replace(/\n$/, "");
process.stdout.write(JSON.stringify(decode(text, { strict: true })));
