import { readFile } from 'node:fs/promises';
import { failures } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import { describeApi } from '@highline/contract/openapi';
import { expect, test } from 'vitest';
import { writeClientCalls } from './client-types.ts';
import { faultsOfChanges } from './named-changes.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

test('HKS-03-partial openapi.json and the calls of the typed client are what the contract makes', async () => {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  expect(JSON.parse(await read('packages/client/openapi.json'))).toEqual(describeApi(allOperations, version));
  expect(await read('packages/client/src/calls.generated.ts')).toBe(writeClientCalls(allOperations, Object.keys(failures)));
});

test('HKS-03-partial a breaking change has to be named with a reason, and a name has to be of a change that is there', () => {
  const changes = ['a.list: removed', 'b.save: body name: is required now'];
  expect(faultsOfChanges(changes, [], 'named.json')).toEqual([
    'Breaking change: "a.list: removed". Keep the call as it was, or name the change in named.json with a reason.',
    'Breaking change: "b.save: body name: is required now". Keep the call as it was, or name the change in named.json with a reason.',
  ]);
  const named = [
    { change: 'a.list: removed', reason: 'b.list answers the same since 0.1' },
    { change: 'c.list: removed', reason: 'nothing reads it any more' },
    { change: 'b.save: body name: is required now', reason: ' ' },
  ];
  expect(faultsOfChanges(changes, named, 'named.json')).toEqual([
    'named.json names "c.list: removed", which is not a breaking change. Remove it.',
    'named.json gives no reason for "b.save: body name: is required now". Say why programs have to follow.',
  ]);
});
