import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findUnguardedCallbacks } from './unguarded-callbacks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where input from outside this installation arrives: routers, browsers, their files, and services behind tunnels. */
const ZONES = [
  'apps/server/src/transport',
  'apps/server/src/platform/outbox',
  'apps/server/src/platform/csv',
  'apps/server/src/platform/xlsx',
  'apps/server/src/platform/metrics',
  'apps/server/src/platform/adapters',
  'apps/server/src/platform/node-rpc',
  'apps/server/src/domains/remote-access',
  'apps/router/src/remote',
];

/** Callbacks without a guard, by file and event, each with the reason why that is safe. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'apps/server/src/transport/http/fair-queue.ts setTimeout': 'the end of a wait counts waiting calls and rejects a promise',
  "apps/server/src/transport/http/register.ts once('close')": 'the end of a call releases its slot',
  "apps/server/src/platform/adapters/postgres/postmaster.ts on('exit')": 'our own PostgreSQL has ended; no outside input is read',
  "apps/server/src/transport/tunnels/hold-writes.ts once('drain')": 'a write of ssh2 goes on, as it does without a wait',
  'apps/server/src/transport/tunnels/web-forward.ts setTimeout': 'a silent router rejects a promise',
  'apps/server/src/transport/http/stalled-readers.ts setTimeout': 'a time for the socket, after which Node ends it; no callback',
  "apps/server/src/transport/tunnels/web-forward.ts once('finish')": 'the time limit begins again',
  "apps/server/src/platform/metrics/listener.ts once('error')": 'the fault of a start rejects a promise',
  'apps/server/src/platform/adapters/postgres/slots.ts setTimeout':
    'the slot goes to what waits for one: the pool takes a connection',
  'apps/server/src/platform/adapters/postgres/postmaster.ts setInterval': 'it logs that our own PostgreSQL is still recovering',
  'apps/server/src/domains/remote-access/live-sessions.ts setTimeout':
    'it starts the end of a session, whose promise has its own catch',
};

function callbacksOf(zone: string) {
  return globSync(`${zone}/**/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .flatMap((file) => findUnguardedCallbacks(file, readFileSync(root + file, 'utf8')));
}

test('every callback with outside input is guarded, so that no error in it ends the process', () => {
  const unguarded = ZONES.flatMap(callbacksOf).filter(({ file, event }) => EXCEPTIONS[`${file} ${event}`] === undefined);
  const sentences = unguarded.map(
    ({ file, line, event, code }) =>
      `${file}:${line}: the callback of ${event} can throw into the event loop. Wrap it in guard(log, close, …) of guard.ts: ${code}`,
  );
  expect(sentences.join('\n')).toBe('');
});

test('every exception belongs to an existing callback', () => {
  const present = new Set(ZONES.flatMap(callbacksOf).map(({ file, event }) => `${file} ${event}`));
  expect(Object.keys(EXCEPTIONS).filter((key) => !present.has(key))).toEqual([]);
});

const count = (source: string) => findUnguardedCallbacks('example.ts', source).length;

test.each([
  ["socket.on('data', (data) => parse(data));"],
  ["socket.once('message', receive); function receive(data: string) { return JSON.parse(data); }"],
  ['setTimeout(() => work(), 10);'],
  ["server.on('request', (request, response) => response.writeHead(request.status));"],
  ["socket.on('close', (code) => { if (code > 1) session.closed(code); });"],
  ["socket.on('data', async (data) => { await keep(data); });"],
  ['createServer((request, response) => answer(request, response));'],
  ["signal.addEventListener('abort', () => this.#stop()); class A { #stop() { this.work(); } }"],
  ["socket.on('data', (data) => { try { parse(data); } catch (error) { report(error); } });"],
])('is found: %s', (source) => expect(count(source)).toBe(1));

test.each([
  ["socket.on('data', guard(log, close, (data) => parse(data)));"],
  ["const receive = guard(log, close, parse); socket.on('data', receive);"],
  ["socket.on('close', () => { clearTimeout(timer); sockets.delete(socket); });"],
  ["socket.on('error', ignore); function ignore(): void {}"],
  ["socket.on('data', (data) => { try { parse(data); } catch { socket.destroy(); } });"],
  ['new Promise((resolve) => setTimeout(resolve, 10));'],
  ["emit('data', (data) => parse(data)); map.get('data');"],
])('is accepted: %s', (source) => expect(count(source)).toBe(0));
