import { createPublicKey } from 'node:crypto';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderCheckpoints, readCheckpoints } from '../../platform/adapters/audit/checkpoints.ts';
import { newAuditKey } from '../../testing/audit-key.ts';
import { newId } from '../../kernel/ids.ts';
import type { Checkpoint } from '../../platform/ports/checkpoints.ts';
import { createLogBook, silentLog } from '../../testing/log.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createCheckpoints, isGenuine, recordAudit } from './index.ts';

const actor = { accountId: null, email: 'dana@highline.invalid', role: 'admin', address: '192.0.2.7' };
const NOW = new Date('2026-11-20T12:00:00Z');

let app: TestApp;
let folder: string;

beforeAll(async () => {
  app = await openTestApp();
  folder = await mkdtemp(join(tmpdir(), 'highline-audit-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (chain: string, action = 'Did') =>
  app.database.write((tx) => recordAudit(tx, chain, actor, { action, subject: { kind: 'x', id: 'x' }, detail: {} }, NOW));

async function stored(path = join(folder, 'checkpoints-2026-11.ndjson')): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  for await (const checkpoint of readCheckpoints(path)) found.push(checkpoint);
  return found;
}

describe('LOG-02-partial checkpoints outside the database', () => {
  test('sign each log that grew, once, also after a restart and after a line that a crash cut off', async () => {
    const key = newAuditKey();
    const start = () =>
      createCheckpoints({
        database: app.database,
        store: createFolderCheckpoints(folder),
        privateKey: key.privateKey,
        log: silentLog,
      });
    const [one, other] = [newId(), newId()];
    for (const chain of [one, one, other]) await write(chain);
    const run = start();
    expect(await run(NOW)).toBe(2);
    expect(await run(NOW)).toBe(0);
    await write(other);
    await appendFile(join(folder, 'checkpoints-2026-11.ndjson'), '{"chain":"torn');
    expect(await start()(NOW)).toBe(1);
    const all = await stored();
    expect(all.map(({ chain, seq }) => [chain, seq])).toEqual([
      ...[one, other].sort().map((chain) => [chain, chain === one ? 2 : 1]),
      [other, 2],
    ]);
    await write(one);
    expect(await start()(new Date('2026-12-01T00:00:00Z'))).toBe(1);
    expect(await stored(folder)).toMatchObject([...all, { chain: one, seq: 3 }]);
    const publicKey = createPublicKey(key.publicPem);
    expect(all.every((each) => isGenuine(each, publicKey))).toBe(true);
    expect(new Set(all.map((each) => each.key))).toEqual(new Set([key.id]));
    for (const change of [{ seq: 9 }, { chain: newId() }, { hash: '0'.repeat(64) }, { at: '2026-11-19T00:00:00.000Z' }])
      expect(isGenuine({ ...all[0]!, ...change }, publicKey)).toBe(false);
  });

  test('a database that was set back is signed from where it is, at once and after a restart, and the log says so', async () => {
    const { privateKey } = newAuditKey();
    const own = await mkdtemp(join(folder, 'set-back-'));
    const { log, sentences } = createLogBook();
    const start = () => createCheckpoints({ database: app.database, store: createFolderCheckpoints(own), privateKey, log });
    const chain = newId();
    for (let entry = 1; entry <= 5; entry++) await write(chain);
    const run = start();
    await run(NOW);
    const setBack = async (seq: number) => {
      await app.owner.query('delete from audit_entries where chain_id = $1 and seq > $2', [chain, seq]);
      await app.owner.query(
        'update audit_heads h set seq = $2, hash = e.hash from audit_entries e where h.chain_id = $1 and e.chain_id = $1 and e.seq = $2',
        [chain, seq],
      );
    };
    const seqs = async () => (await stored(own)).filter((each) => each.chain === chain).map(({ seq }) => seq);
    await setBack(3);
    await write(chain);
    expect(await run(NOW)).toBe(1);
    expect(await seqs()).toEqual([5, 4]);
    expect(sentences).toEqual([
      expect.stringContaining('The newest checkpoint of a log is of an entry that the database no longer has'),
    ]);
    expect([await run(NOW), await start()(NOW)]).toEqual([0, 0]);
    // Another entry of the same number.
    await setBack(3);
    await write(chain, 'Did other');
    expect([await start()(NOW), await seqs(), sentences.length]).toEqual([1, [5, 4, 4], 2]);
  });
});
