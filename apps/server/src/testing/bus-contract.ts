import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NodeBus } from '../platform/ports/node-bus.ts';
import { until } from './process.ts';

const bytes = (text: string) => Buffer.from(text);
const textOf = (message: Uint8Array) => Buffer.from(message).toString();

/** Contract tests of every bus. @param open another bus of the same installation */
export function busContract(name: string, open: () => Promise<NodeBus>): void {
  let a: NodeBus;
  let b: NodeBus;

  /** Subscriptions take effect a moment later. */
  const listens = (from: NodeBus, subject: string) =>
    until(() =>
      from.request(subject, bytes('?'), 100).then(
        () => true,
        (error: { kind?: string }) => error.kind === 'timeout',
      ),
    );

  beforeEach(async () => {
    [a, b] = [await open(), await open()];
  });
  afterEach(() => Promise.all([a.close(), b.close()]));

  describe(`a bus: ${name}`, () => {
    test('NOD-01-partial a message reaches every other process that listens to its subject, and not its sender', async () => {
      const c = await open();
      const received: string[] = [];
      for (const [who, bus] of [
        ['a', a],
        ['b', b],
        ['c', c],
      ] as const)
        bus.subscribe('wake', (message) => void received.push(`${who} ${textOf(message)}`));
      await listens(a, 'wake');
      await listens(c, 'wake');
      await listens(b, 'wake');
      received.length = 0;
      a.publish('other', bytes('ignored'));
      a.publish('wake', bytes('first'));
      await until(() => received.length === 2);
      expect(received.toSorted()).toEqual(['b first', 'c first']);
      await c.close();
    });

    test('NOD-01-partial a request returns the answer of the process that listens', async () => {
      b.subscribe('call', async (message) => bytes(`${textOf(message)} done`));
      await listens(a, 'call');
      expect(textOf(await a.request('call', bytes('reboot'), 5_000))).toBe('reboot done');
      const large = randomBytes(500_000);
      b.subscribe('large', async (message) => message);
      await listens(a, 'large');
      expect(Buffer.from(await a.request('large', large, 5_000)).equals(large)).toBe(true);
    });

    test('a request fails at once when no process listens, also when only the sender does, and after the time limit without an answer', async () => {
      const began = performance.now();
      await expect(a.request('unused', bytes(''), 30_000)).rejects.toMatchObject({ kind: 'no-listener' });
      a.subscribe('own', async () => bytes('never'));
      await expect(a.request('own', bytes(''), 30_000)).rejects.toMatchObject({ kind: 'no-listener' });
      expect(performance.now() - began).toBeLessThan(10_000);
      b.subscribe('silent', () => undefined);
      await listens(a, 'silent');
      await expect(a.request('silent', bytes(''), 50)).rejects.toMatchObject({ kind: 'timeout' });
    });

    test('a subscription ends; an error in a listener ends nothing', async () => {
      const end = b.subscribe('call', async () => bytes('one'));
      b.subscribe('fault', async () => {
        throw new Error('a fault of this test');
      });
      await listens(a, 'call');
      await listens(a, 'fault');
      await expect(a.request('fault', bytes(''), 50)).rejects.toMatchObject({ kind: 'timeout' });
      expect(textOf(await a.request('call', bytes(''), 5_000))).toBe('one');
      end();
      await until(() =>
        a.request('call', bytes(''), 1_000).then(
          () => false,
          (error: { kind?: string }) => error.kind === 'no-listener',
        ),
      );
    });
  });
}
