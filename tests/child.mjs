// A language server that fails in the way that its first argument names; the second is a directory for
// the ids of its processes.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync } from 'node:fs';

const [, , mode, dir] = process.argv;

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
}

function note(pid) {
  if (dir) appendFileSync(`${dir}/pids`, `${pid}\n`);
}

function hear(message) {
  if (message.method === 'initialize') {
    send({ id: message.id, result: { capabilities: { renameProvider: true, definitionProvider: true } } });
  } else if (message.method === 'textDocument/rename') {
    console.error('about to fall over');
    if (mode === 'dies') process.kill(process.pid, 'SIGKILL');
    if (mode === 'closes') closeSync(1);
  } else if (message.method === 'exit') {
    if (mode !== 'lingers') process.exit(0);
  } else if (message.id !== undefined) {
    send({ id: message.id, result: null });
  }
}

if (mode === 'crashes') {
  for (let line = 0; line < 500; line++) console.error(`line ${line}`);
  console.error('cannot find the licence');
  process.exit(3);
}
note(process.pid);
if (mode === 'forks' || mode === 'lingers') {
  // Children that hold none of the pipes and hear of no end: only a kill of the group reaches them.
  const grandchild = spawn('sleep', ['1000'], { stdio: 'ignore' });
  note(grandchild.pid);
}
if (mode === 'mute') process.stdin.resume();

let buffer = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  if (mode === 'mute') return;
  buffer = Buffer.concat([buffer, chunk]);
  for (;;) {
    const end = buffer.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(buffer.toString('latin1', 0, end))[1]);
    if (buffer.length < end + 4 + length) return;
    const body = buffer.toString('utf8', end + 4, end + 4 + length);
    buffer = buffer.subarray(end + 4 + length);
    hear(JSON.parse(body));
  }
});
// The end of stdin ends a well-behaved server; these go on, as some do.
setInterval(() => {}, 1000);
