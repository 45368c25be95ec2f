import { allOperations } from '@highline/contract/all-operations';
import { expect, test } from 'vitest';
import { apiKeys as english } from './api-keys.en-US.ts';
import { apiKeys as chinese } from './api-keys.zh-TW.ts';

/** Parts that neither keys nor own roles can be allowed. */
const forPeople = new Set(['accounts', 'colleagues', 'secondFactor', 'apiKeys', 'roles', 'scim']);

test('HKS-02-partial every part of the API that a key or an own role can be allowed has a name in both languages', () => {
  const ofTenants = allOperations.filter(({ scope }) => scope !== 'public' && scope !== 'account');
  const areas = new Set(ofTenants.map(({ id }) => id.split('.', 1)[0]!));
  const named = [...areas].filter((area) => !forPeople.has(area)).toSorted();
  for (const { area } of [english, chinese]) expect(Object.keys(area).toSorted()).toEqual(named);
});
