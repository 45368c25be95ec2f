import { expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import type { Log } from '../ports/log.ts';
import { createSlowLog } from './slow-log.ts';

function createLines() {
  const lines: object[] = [];
  const log: Log = { ...silentLog, warn: (fields: object, msg: string) => void lines.push({ ...fields, msg }) };
  return { log, lines };
}

const SQL = `select *
  from devices where name = 'Depot 7' and id = $1`;

test('what took longer than the setting is logged by its name, without values', () => {
  const { log, lines } = createLines();
  const slow = createSlowLog(log, 1_000);
  slow.call('devices.list', 999);
  slow.statement(SQL, 999, 'devices.list');
  slow.call('devices.list', 1_000.4);
  slow.statement(SQL, 2_000, 'devices.list');
  slow.statement('commit', 3_000, undefined);
  expect(lines).toMatchObject([
    { operation: 'devices.list', ms: 1_000, msg: 'A call took long.' },
    { statement: "select * from devices where name = '…' and id = $1", operation: 'devices.list', ms: 2_000 },
    { statement: 'commit', ms: 3_000 },
  ]);
  createSlowLog(log, 0).call('devices.list', 60_000);
  expect(lines).toHaveLength(3);
});

test('when everything is slow thirty lines a minute are written, and the next one says how many were left out', () => {
  const { log, lines } = createLines();
  let now = 0;
  const slow = createSlowLog(log, 1_000, () => now);
  for (let n = 0; n < 100; n++) slow.call('devices.list', 5_000);
  expect(lines).toHaveLength(30);
  now = 60_000;
  slow.call('devices.list', 5_000);
  expect(lines.at(-1)).toMatchObject({ omitted: 70 });
});
