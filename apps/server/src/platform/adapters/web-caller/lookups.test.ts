import { describe, expect, test } from 'vitest';
import { Lookups } from './lookups.ts';

/** Lookups that end when the test says so, or when they are ended. */
function open() {
  const requested: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<readonly string[]>>();
  const lookups = new Lookups({
    resolve(host, signal) {
      requested.push(host);
      const lookup = Promise.withResolvers<readonly string[]>();
      signal.addEventListener('abort', () => lookup.reject(new Error(`The lookup of ${host} was ended.`)));
      ends.set(host, lookup);
      return lookup.promise;
    },
  });
  return {
    requested,
    lookups,
    /** A call to a host. @returns ends it */
    call(host: string, owner: string) {
      const end = lookups.begin(host, owner);
      const outcome = lookups.resolve(host).catch(() => 'ended');
      return { end, outcome };
    },
    respond: (host: string, ...addresses: string[]) => ends.get(host)!.resolve(addresses),
    fail: (host: string) => ends.get(host)!.reject(new Error('failed')),
  };
}
const idle = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('HKS-01 lookups of host names', () => {
  test('HKS-01-partial calls to one name share its lookup while it runs, and not its answer', async () => {
    const { call, respond, requested } = open();
    const calls = [call('a', 'x'), call('a', 'x'), call('a', 'y')];
    expect(requested).toEqual(['a']);
    respond('a', '192.0.2.1');
    for (const { outcome } of calls) expect(await outcome).toEqual(['192.0.2.1']);
    await idle();
    call('a', 'x');
    expect(requested).toEqual(['a', 'a']);
  });

  test('HKS-01-partial an owner has four lookups at once; those of others begin, and its next one when one of its has ended', async () => {
    const { call, respond, fail, requested } = open();
    for (const host of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) call(host, 'x');
    expect(requested).toEqual(['a', 'b', 'c', 'd']);
    call('h', 'y');
    expect(requested).toEqual(['a', 'b', 'c', 'd', 'h']);
    respond('b', '192.0.2.1');
    await idle();
    fail('d');
    await idle();
    expect(requested).toEqual(['a', 'b', 'c', 'd', 'h', 'e', 'f']);
  });

  test('HKS-01-partial a name that waits for its owner is looked up at once for another owner', async () => {
    const { call, respond, requested } = open();
    for (const host of ['a', 'b', 'c', 'd']) call(host, 'x');
    const waits = call('shared', 'x');
    expect(requested).not.toContain('shared');
    const other = call('shared', 'y');
    expect(requested).toContain('shared');
    respond('shared', '192.0.2.1');
    expect(await Promise.all([waits.outcome, other.outcome])).toEqual([['192.0.2.1'], ['192.0.2.1']]);
  });

  test('HKS-01-partial a lookup goes on until the last call that needs it has ended, and frees its place then', async () => {
    const { call, requested } = open();
    const [first, second] = [call('a', 'x'), call('a', 'x')];
    for (const host of ['b', 'c', 'd', 'e']) call(host, 'x');
    first.end();
    await idle();
    expect(requested).toEqual(['a', 'b', 'c', 'd']);
    second.end();
    expect(await Promise.all([first.outcome, second.outcome])).toEqual(['ended', 'ended']);
    await idle();
    expect(requested).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('HKS-01-partial a call that ends while its name waits leaves nothing to look up', async () => {
    const { call, respond, requested, lookups } = open();
    for (const host of ['a', 'b', 'c', 'd']) call(host, 'x');
    const waits = call('e', 'x');
    waits.end();
    expect(await waits.outcome).toBe('ended');
    respond('a', '192.0.2.1');
    await idle();
    expect(requested).toEqual(['a', 'b', 'c', 'd']);
    await expect(lookups.resolve('e')).rejects.toThrow('No call to e runs.');
  });
});
