// A reporter of mocha that writes what became of each test, a line of JSON for each.
'use strict';
const fs = require('fs');

const tell = (row) => fs.appendFileSync(process.env.LSPWRIGHT_REPORT, JSON.stringify(row) + '\n');
const fileOf = (test) => (test ? test.file || fileOf(test.parent) : undefined);

module.exports = function Teller(runner) {
  const row = (test, outcome, error) =>
    tell({
      name: test.fullTitle(),
      title: test.title,
      outcome,
      output: error === undefined ? undefined : String((error && (error.stack || error.message)) || error),
      file: fileOf(test),
    });
  runner.on('pass', (test) => row(test, 'passed'));
  runner.on('fail', (test, error) => row(test, 'failed', error));
  runner.on('pending', (test) => row(test, 'skipped'));
  runner.once('end', () => tell({ done: true }));
};
