import { expect, test } from 'vitest';
import { systemClock } from '../../platform/ports/clock.ts';
import { createDownloadLookups } from './download-lookups.ts';
import type { OpenDownload } from './downloads.store.ts';

type Found = ReadonlyMap<string, OpenDownload>;

const download = (endpointId: string): OpenDownload => ({
  kind: 'config',
  organizationId: 'o',
  endpointId,
  hash: Buffer.alloc(32),
  sha256: '00',
  size: 1,
  configId: 'c',
  configNumber: 1,
});

/** Statements that the test answers. */
function open() {
  const statements: { readonly keys: readonly string[]; readonly response: PromiseWithResolvers<Found> }[] = [];
  const find = (keys: readonly string[]) => {
    const response = Promise.withResolvers<Found>();
    statements.push({ keys, response });
    return response.promise;
  };
  return { statements, lookups: createDownloadLookups(find, systemClock) };
}

test('GRP-10-partial downloads that are requested while a statement runs share the next one', async () => {
  const { statements, lookups } = open();
  const first = lookups.find('a');
  const others = ['b', 'c', 'b'].map((key) => lookups.find(key));
  expect(statements.map(({ keys }) => keys)).toEqual([['a']]);
  statements[0]!.response.resolve(new Map([['a', download('router a')]]));
  expect(await first).toMatchObject({ endpointId: 'router a' });
  expect(statements.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c', 'b']]);
  statements[1]!.response.resolve(new Map([['b', download('router b')]]));
  const [b, c, again] = await Promise.all(others);
  expect([b?.endpointId, c, again?.endpointId]).toEqual(['router b', undefined, 'router b']);
});

test('GRP-10-partial a statement that fails fails its own downloads, and the next ones are looked up', async () => {
  const { statements, lookups } = open();
  const first = lookups.find('a');
  const second = lookups.find('b');
  statements[0]!.response.reject(new Error('The database is down.'));
  await expect(first).rejects.toThrow('down');
  statements[1]!.response.resolve(new Map([['b', download('router b')]]));
  expect(await second).toMatchObject({ endpointId: 'router b' });
});
