import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteContact, onConnectionChange, watchConnection } from './connection.ts';

let page: { visibilityState: string } & EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  noteContact();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A server that answers while it is up; a frozen one accepts the call and never answers. */
function watched() {
  const server = { isUp: true, requests: 0, changes: [] as boolean[] };
  const stopListening = onConnectionChange((isLost) => server.changes.push(isLost));
  const stop = watchConnection(
    (signal) =>
      new Promise((resolve, reject) => {
        server.requests += 1;
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        if (server.isUp) resolve(undefined);
      }),
    () => {},
  );
  return Object.assign(server, {
    end() {
      stopListening();
      stop();
    },
  });
}

test('ATT-05-partial a frozen server is noticed within 12 s, and its return within 4 s', async () => {
  const server = watched();
  for (let beat = 0; beat < 6; beat += 1) {
    await vi.advanceTimersByTimeAsync(5_000);
    noteContact();
  }
  expect(server.requests).toBe(0);
  server.isUp = false;
  await vi.advanceTimersByTimeAsync(12_000);
  expect(server.changes).toEqual([true]);
  server.isUp = true;
  await vi.advanceTimersByTimeAsync(4_000);
  expect(server.changes).toEqual([true, false]);
  server.end();
});

test('ATT-05-partial a quiet stream of a server that answers is no loss', async () => {
  const server = watched();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(server.requests).toBeGreaterThan(0);
  expect(server.changes).toEqual([]);
  server.end();
});

test('ATT-05-partial a hidden page asks nothing, and gets its time when it is shown again', async () => {
  const server = watched();
  server.isUp = false;
  page.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(600_000);
  expect(server.requests).toBe(0);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(6_000);
  noteContact();
  expect(server.changes).toEqual([]);
  server.end();
});
