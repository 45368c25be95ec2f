import { expect, test } from 'vitest';
import { identifierCell } from '@highline/contract/csv-cell';
import { mintSecret } from './router-secret.ts';

test('SHR-08-partial a secret stands in a file as it is: no spreadsheet takes it for a formula', () => {
  const secrets = Array.from({ length: 2000 }, mintSecret);
  expect(secrets.map((secret) => identifierCell(secret))).toEqual(secrets);
});
