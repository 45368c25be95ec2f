import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { writeSchema } from '../../testing/schema.ts';

/** The columns whose types are declared in the source, as `table.column`. */
function declaredColumns(): ReadonlySet<string> {
  const source = join(import.meta.dirname, '../..');
  const files = execFileSync('grep', ['-rl', 'interface ColumnTypes', source], { encoding: 'utf8' }).split('\n').filter(Boolean);
  return new Set(
    files.flatMap((file) => {
      const [, body = ''] = /interface ColumnTypes \{\n([^]*?)\n {2}\}/u.exec(readFileSync(file, 'utf8')) ?? [];
      return [...body.matchAll(/^ +'(\w+\.\w+)':/gmu)].map(([, column]) => column!);
    }),
  );
}

test('the types of the tables are those of the migrated database', async () => {
  const database = await createTestDatabase();
  try {
    await expect(await writeSchema(database.ownerUrl, declaredColumns())).toMatchFileSnapshot('./schema.generated.ts');
  } finally {
    await database.close();
  }
});
