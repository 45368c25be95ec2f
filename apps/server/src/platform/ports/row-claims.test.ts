import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { createDatabase, openDatabase } from '../../testing/open-database.ts';
import { silentLog } from '../../testing/log.ts';
import { readWrongly } from '../../testing/wrong-claim.ts';

test('a statement whose rows are not of the claimed type fails in tests, with its file, line and columns', async () => {
  const database = await createTestDatabase();
  const opened = await openDatabase(database.settings, silentLog);
  try {
    await expect(readWrongly(createDatabase(opened.pool, () => {}).read)).rejects.toThrow(
      [
        'apps/server/src/testing/wrong-claim.ts:6: column "total" is claimed as string, PostgreSQL returns number',
        'apps/server/src/testing/wrong-claim.ts:6: column "at" is claimed as date, PostgreSQL returns null',
      ].join('\n'),
    );
  } finally {
    await opened.close();
    await database.close();
  }
});
