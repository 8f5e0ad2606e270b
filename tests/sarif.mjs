// Holds SARIF from stdin against the schema of OASIS, which Microsoft's package brings along; prints what it finds wrong.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.argv[2]}/`);
const Ajv = require("ajv");
const ajv = new Ajv({ schemaId: "auto", validateSchema: false, allErrors: true });
ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
const validate = ajv.compile(require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"));
validate(JSON.parse(readFileSync(0, "utf8")));
process.stdout.write(JSON.stringify(validate.errors ?? []));
