import { createPublicKey } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderCheckpoints, readCheckpoints } from '../../platform/adapters/audit/checkpoints.ts';
import { applyLogRetention } from '../../platform/adapters/audit/retention.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { openTestApp, type TestApp } from '../../testing/test-app.ts';
import { createLogRetention, isGenuine, recordAudit, verifyAuditExport } from './index.ts';

const actor = { accountId: null, email: 'dana@highline.invalid', role: 'admin', address: '192.0.2.7' };
const DAY = 86_400_000;
/** The database uses its own clock, so these tests do too. */
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY);

let app: TestApp;
let folder: string;
const faults: object[] = [];
const log = { debug() {}, info() {}, warn() {}, error: (fields: object) => void faults.push(fields) };
let run: (at: Date) => Promise<number>;

beforeAll(async () => {
  app = await openTestApp(daysAgo(0).toISOString());
  folder = await mkdtemp(join(tmpdir(), 'highline-retention-'));
  // The key of the server under test signs the exports, so it signs the cuts too.
  run = createLogRetention({
    database: app.database,
    store: createFolderCheckpoints(folder),
    privateKey: app.auditKey.privateKey,
    log,
  });
  await applyLogRetention({ withOwner: (work) => work(app.owner) }, 100);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** A log with entries of the given ages in days; its first one is the organization's creation. */
async function logOf(...ages: number[]): Promise<OrganizationScope> {
  app.clock.set(daysAgo(Math.max(...ages)).toISOString());
  const scope = await app.seeding.organization((await app.seeding.mainAccount('Home')).scope, 'Own');
  app.clock.set(now.toISOString());
  for (const [index, age] of ages.entries())
    await app.database.write((tx) => {
      const event = { action: `Did ${index}`, subject: { kind: 'device', id: scope.organizationId }, detail: {} };
      return recordAudit(tx, scope.organizationId, actor, event, daysAgo(age));
    });
  return scope;
}

const kept = async ({ organizationId }: OrganizationScope): Promise<number[]> => {
  const { rows } = await app.owner.query<{ seq: string }>('select seq from audit_entries where chain_id = $1 order by seq', [
    organizationId,
  ]);
  return rows.map(({ seq }) => Number(seq));
};

async function verify(scope: OrganizationScope, known: { seq: number; hash: string }[] = []) {
  const as = app.person(scope, 'admin');
  const file = await app.call('GET', '/data_manager/v1/operation_log/evidence', { as });
  const key = await app.call('GET', '/data_manager/v1/operation_log/key', { as });
  async function* bytes() {
    yield Buffer.from(file.text);
  }
  return verifyAuditExport(bytes(), [createPublicKey(key.json.result.publicKey as string)], () => known);
}

async function witnessed(scope: OrganizationScope) {
  const found: { seq: number; hash: string }[] = [];
  const publicKey = createPublicKey(app.auditKey.publicPem);
  for (const name of await readdir(folder))
    for await (const checkpoint of readCheckpoints(join(folder, name)))
      if (checkpoint.chain === scope.organizationId && isGenuine(checkpoint, publicKey)) found.push(checkpoint);
  return found;
}

describe('LOG-02 retention', () => {
  test('removes entries older than the setting, is recorded outside the database, and the rest verifies, also after the next cut', async () => {
    const scope = await logOf(300, 200, 101, 99, 1);
    expect(await run(now)).toBe(4);
    expect(await kept(scope)).toEqual([5, 6]);
    const [checkpoint] = await witnessed(scope);
    expect(checkpoint!.seq).toBe(4);
    expect(await verify(scope, [checkpoint!])).toMatchObject({ entries: 2, lastSeq: 6, cut: { seq: 4 } });
    expect(await run(now)).toBe(0);
    const { rows } = await app.owner.query('select 1 from audit_devices where chain_id = $1 and seq <= 4', [
      scope.organizationId,
    ]);
    expect(rows).toEqual([]);
    await applyLogRetention({ withOwner: (work) => work(app.owner) }, 50);
    expect(await run(now)).toBe(1);
    expect(await verify(scope, await witnessed(scope))).toMatchObject({ entries: 1, lastSeq: 6, cut: { seq: 5 } });
    await applyLogRetention({ withOwner: (work) => work(app.owner) }, 100);
    const list = await app.call('GET', '/data_manager/v1/operation_log', {
      as: app.person(scope, 'user'),
      query: { limit: 5 },
    });
    expect([list.json.total, list.json.result[0].subject]).toEqual([1, 'Did 4']);
  });

  test('keeps the newest entry of a log without writes for years, and everything after a younger one', async () => {
    const silent = await logOf(900, 800);
    const shaken = await logOf(900, 20, 800, 10);
    await run(now);
    expect(await kept(silent)).toEqual([3]);
    expect(await kept(shaken)).toEqual([3, 4, 5]);
    for (const scope of [silent, shaken])
      expect(await verify(scope, await witnessed(scope))).toMatchObject({ lastSeq: expect.any(Number) });
  });

  test('leaves a log with a changed entry unchanged, and names the entry', async () => {
    const scope = await logOf(300, 200, 150, 1);
    await app.owner.query("update audit_entries set action = 'Never' where chain_id = $1 and seq = 3", [scope.organizationId]);
    expect(await run(now)).toBe(0);
    expect(faults).toEqual([{ chain: scope.organizationId, entry: 3 }]);
    expect(await kept(scope)).toEqual([1, 2, 3, 4, 5]);
    await app.owner.query('delete from audit_entries where chain_id = $1', [scope.organizationId]);
  });

  test('a process that cuts a log while another one does finds no change in it', async () => {
    await logOf(300, 1);
    const scope = await logOf(300, 200, 1);
    const store = createFolderCheckpoints(folder);
    // The other one removes what is older than 250 days, after this one has read which logs are old.
    let other: Promise<number> | undefined;
    const both = createLogRetention({
      database: app.database,
      store: {
        newest: () => store.newest(),
        append: async (checkpoints) => {
          await (other ??= run(daysAgo(150)));
          await store.append(checkpoints);
        },
      },
      privateKey: app.auditKey.privateKey,
      log,
    });
    faults.length = 0;
    await both(now);
    expect(await other).toBeGreaterThan(0);
    expect(faults).toEqual([]);
    expect(await kept(scope)).toEqual([4]);
    expect(await verify(scope, await witnessed(scope))).toMatchObject({ entries: 1, lastSeq: 4 });
  });

  test('a head that anything else cut off is named, also if the cut has another position or was signed with another key', async () => {
    const scope = await logOf(300, 200, 20, 10, 1);
    expect(await run(now)).toBe(3);
    const remove = (seq: number) =>
      app.owner.query('delete from audit_entries where chain_id = $1 and seq = $2', [scope.organizationId, seq]);
    await remove(4);
    await expect(verify(scope)).rejects.toThrow('does not begin after entry 3');
    await app.owner.query(
      'update audit_cuts set seq = 4, hash = (select previous_hash from audit_entries where chain_id = $1 and seq = 5) where chain_id = $1',
      [scope.organizationId],
    );
    await expect(verify(scope)).rejects.toThrow('Entries up to 4 were removed, but not by retention');
    await app.owner.query('delete from audit_cuts where chain_id = $1', [scope.organizationId]);
    await expect(verify(scope)).rejects.toThrow('entries before its first were removed');
  });

  test('the serving role can remove nothing younger, not the newest, and cannot change the retention time or a stored cut', async () => {
    const scope = await logOf(300, 200, 99, 1);
    const id = scope.organizationId;
    const cut = (upTo: number) => sql`select cut_audit_log(${id}::uuid, ${upTo}::bigint, now(), 'x')`;
    const forbidden = [
      cut(4),
      cut(5),
      cut(99),
      sql`delete from audit_entries where chain_id = ${id}::uuid and seq = 1`,
      sql`update audit_entries set at = now() - interval '9 years' where chain_id = ${id}::uuid`,
      sql`delete from audit_devices`,
      sql`update audit_devices set seq = 1`,
      sql`insert into audit_cuts values (${id}::uuid, 1, '\\x00', now(), 'x')`,
      sql`update audit_cuts set seq = 1`,
      sql`delete from audit_cuts`,
      sql`update installation set value = '0'`,
      sql`insert into installation values ('log_retention_days', '0') on conflict (key) do update set value = '0'`,
      sql`delete from installation`,
    ];
    for (const [index, statement] of forbidden.entries())
      await expect(
        app.database.write((tx) => statement.execute(tx)),
        `statement ${index}`,
      ).rejects.toMatchObject({ code: '42501' });
    expect(await kept(scope)).toEqual([1, 2, 3, 4, 5]);
    // Entries that retention would remove anyway can be removed; the missing signature reveals it.
    await app.database.write((tx) => cut(3).execute(tx));
    expect(await kept(scope)).toEqual([4, 5]);
    await expect(verify(scope)).rejects.toThrow('not by retention');
  });

  test('while no retention time is set, nothing is removed', async () => {
    const scope = await logOf(9_000, 1);
    await app.owner.query("delete from installation where key = 'log_retention_days'");
    expect(await run(now)).toBe(0);
    await expect(
      app.database.write((tx) => sql`select cut_audit_log(${scope.organizationId}::uuid, 1, now(), 'x')`.execute(tx)),
    ).rejects.toThrow('not settled');
  });
});
