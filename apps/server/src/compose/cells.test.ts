import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { silentLog } from '../testing/log.ts';
import { useTestApp } from '../testing/test-app.ts';
import type { CellSettings } from '../platform/settings/settings-parts.ts';
import { checkMembership, openMembership } from './cells.ts';

const app = useTestApp();
const key = createSecretKey(randomBytes(32));
const start = (cells?: CellSettings) => {
  const settings = cells === undefined ? {} : { cells };
  return checkMembership(app.database, settings, openMembership(settings, silentLog));
};
const member = (cell: string): CellSettings => ({ kind: 'member', cell, url: 'http://127.0.0.1:1', key });

test('every process at the database of a cell has its settings, until it leaves the directory', async () => {
  await start();
  await start(member('eu-1'));
  await start(member('eu-1'));
  await expect(start()).rejects.toThrow(/^DIRECTORY_URL: is missing, and this database is the cell "eu-1"\. Set DIRECTORY_URL/u);
  await expect(start(member('us-1'))).rejects.toThrow(/^CELL_NAME: this database is the cell "eu-1"\./u);
  await start({ kind: 'left' });
  await start();
  await start(member('us-1'));
  await start({ kind: 'left' });
});
