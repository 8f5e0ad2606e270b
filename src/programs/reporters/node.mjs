// A reporter of Node's own test runner that writes what became of each test, a line of JSON for each.
import { appendFileSync } from 'node:fs';

const tell = (row) => appendFileSync(process.env.LSPWRIGHT_REPORT, JSON.stringify(row) + '\n');

export default async function* (events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      names.length = data.nesting;
      names.push(data.name);
    }
    const isTest = type === 'test:pass' || type === 'test:fail';
    if (!isTest || data.details?.type === 'suite') continue;
    const error = data.details?.error;
    const cause = error?.cause ?? error;
    const isLeftOut = data.skip !== undefined || data.todo !== undefined;
    tell({
      name: [...names.slice(0, data.nesting), data.name].join(' > '),
      title: data.name,
      outcome: isLeftOut ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
      output: type === 'test:fail' ? String(cause?.stack ?? cause?.message ?? cause) : undefined,
      file: data.file,
      line: data.line,
    });
  }
  tell({ done: true });
  yield '';
}
