// Runs a TypeScript package's own tests on the tree named by TESTED, where nothing is installed: what the tests import
// by name comes from the tree itself, and vitest from beside this file.
import { fileURLToPath } from "node:url";

const root = `${process.env.TESTED}/`;
const here = fileURLToPath(new URL(".", import.meta.url));

export default {
  root,
  cacheDir: `${here}cache`,
  // One after the other in one process, the largest first: quick, and the same every time.
  test: { include: process.env.TESTS.split(" "), watch: false, pool: "threads", isolate: false, fileParallelism: false, cache: false },
  resolve: {
    alias: [
      { find: /^vitest$/, replacement: `${here}node_modules/vitest/dist/index.js` },
      { find: new RegExp(`^${process.env.PACKAGE}$`), replacement: `${root}src/index.ts` },
      { find: new RegExp(`^${process.env.PACKAGE}/(.*)$`), replacement: `${root}src/$1/index.ts` },
    ],
  },
};
