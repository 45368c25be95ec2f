import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/adapters/database.ts';
import { openDatabase, type OpenedDatabase } from '../../platform/adapters/postgres/connect.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/ports/database.ts';
import { silentLog } from '../../testing/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { canonicalJson, hashEntry, recordAudit } from './audit.ts';
import { sentence, type AuditAction } from './sentences.ts';

const actor = { accountId: newId(), email: 'dana@highline.invalid', role: 'admin', address: '2001:db8::7' };

let testDatabase: TestDatabase;
let opened: OpenedDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  opened = await openDatabase(testDatabase.settings, silentLog);
  database = createDatabase(opened.pool, () => {});
});
afterAll(async () => {
  await opened.close();
  await testDatabase.close();
});

const record = (chainId: string, detail: Record<string, unknown> = {}, action: AuditAction = 'Changed a note') =>
  database.write((tx) => recordAudit(tx, chainId, actor, { action, subject: { kind: 'device', id: newId() }, detail }));

const entriesOf = (chainId: string) =>
  database.read.selectFrom('audit_entries').selectAll().where('chain_id', '=', chainId).orderBy('seq').execute();
type Entry = Awaited<ReturnType<typeof entriesOf>>[number];

const hashOf = (entry: Entry): Buffer =>
  hashEntry(entry.previous_hash, {
    chainId: entry.chain_id,
    seq: entry.seq,
    at: entry.at.toISOString(),
    actorId: entry.actor_id,
    actorEmail: entry.actor_email,
    actorRole: entry.actor_role,
    address: entry.address,
    action: entry.action,
    ...(entry.sentence === null ? {} : { sentence: entry.sentence }),
    subjectKind: entry.subject_kind,
    subjectId: entry.subject_id,
    detail: entry.detail,
  });

/** The first broken entry, counted from 1; undefined when the chain is complete up to its head. */
async function firstBreak(chainId: string, entries: readonly Entry[]): Promise<number | undefined> {
  let previous: Buffer = Buffer.alloc(32);
  for (const [index, entry] of entries.entries()) {
    const fits = entry.seq === index + 1 && entry.previous_hash.equals(previous) && hashOf(entry).equals(entry.hash);
    if (!fits) return index + 1;
    previous = entry.hash;
  }
  const head = await database.read.selectFrom('audit_heads').selectAll().where('chain_id', '=', chainId).executeTakeFirst();
  return head?.seq === entries.length && head.hash.equals(previous) ? undefined : entries.length + 1;
}

describe('LOG-02-partial the chain of entries', () => {
  test('links each entry to the previous one, and reveals changed, moved, deleted and cut-off entries', async () => {
    const chainId = newId();
    // With a text alone, as versions before wrote it, and with key and parameters.
    for (const note of ['a', 'b', 'c', 'd'])
      await record(chainId, { note }, note === 'a' ? 'Changed a note' : sentence('device.changed', { terms: ['note'] }, note));
    const entries = await entriesOf(chainId);
    expect(await firstBreak(chainId, entries)).toBeUndefined();
    const [first, second, third, fourth] = entries as [Entry, Entry, Entry, Entry];
    const changed: Partial<Entry>[] = [
      { detail: { note: 'B' } },
      { action: 'Changed nothing' },
      { sentence: { key: 'device.changed', params: [{ terms: ['note'] }, 'another'] } },
      { sentence: null },
      { actor_email: 'someone@highline.invalid' },
      { actor_id: null },
      { at: new Date(second.at.getTime() + 1) },
      { address: '::1' },
      { subject_id: newId() },
      { chain_id: newId() },
    ];
    for (const change of changed)
      expect(await firstBreak(chainId, [first, { ...second, ...change }, third, fourth]), JSON.stringify(change)).toBe(2);
    expect(await firstBreak(chainId, [first, third, second, fourth])).toBe(2);
    expect(await firstBreak(chainId, [first, third, fourth])).toBe(2);
    expect(await firstBreak(chainId, [first, second, third])).toBe(4);
    expect(await firstBreak(chainId, [second, third, fourth])).toBe(1);
  });

  test('stays complete with concurrent writers, also where they begin the chain', async () => {
    const [one, other] = [newId(), newId()];
    const writers = Array.from({ length: 24 }, (_, index) => record(index % 3 === 0 ? other : one, { index }));
    await Promise.all(writers);
    for (const [chainId, count] of [
      [one, 16],
      [other, 8],
    ] as const) {
      const entries = await entriesOf(chainId);
      expect(entries).toHaveLength(count);
      expect(await firstBreak(chainId, entries)).toBeUndefined();
    }
  });

  test('has no gap after a rolled back change', async () => {
    const chainId = newId();
    await record(chainId);
    const undone = database.write(async (tx) => {
      await recordAudit(tx, chainId, actor, { action: 'Never', subject: { kind: 'device', id: 'x' }, detail: {} });
      throw new Error('taken back');
    });
    await expect(undone).rejects.toThrow('taken back');
    await record(chainId);
    const entries = await entriesOf(chainId);
    expect(entries.map(({ action }) => action)).toEqual(['Changed a note', 'Changed a note']);
    expect(await firstBreak(chainId, entries)).toBeUndefined();
  });

  test('survives the changes that jsonb makes to a detail: order of keys, numbers, dates, undefined', async () => {
    const chainId = newId();
    await record(chainId, {
      z: 1,
      a: { b: [1, null, undefined, { y: undefined, x: -0 }], '': 'é', É: '路', '10': 1, '9': 2 },
      numbers: [1e21, 1e-7, 0.1 + 0.2, 123456789012345, -1.5e300, 5e-324],
      at: new Date('2026-03-04T05:06:07.008Z'),
      text: 'quote " back \\ line \n tab \t emoji 🚌 u2028 \u2028',
    });
    const entries = await entriesOf(chainId);
    expect(entries[0]!.detail).toMatchObject({ at: '2026-03-04T05:06:07.008Z', z: 1 });
    expect(await firstBreak(chainId, entries)).toBeUndefined();
  });

  test('survives them for any detail', async () => {
    const chainId = newId();
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\u0000'));
    const detail = fc.dictionary(
      text,
      fc.oneof(
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        fc.array(fc.dictionary(text, text), { maxLength: 3 }),
      ),
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(detail, async (value) => record(chainId, value)),
      { numRuns: 60, seed: 20_260_101 },
    );
    const entries = await entriesOf(chainId);
    expect(entries).toHaveLength(60);
    expect(await firstBreak(chainId, entries)).toBeUndefined();
  });
});

test('canonical JSON is JSON, and the same for every order of keys', () => {
  expect(canonicalJson({ b: 1, a: [true, undefined, { d: null, c: undefined }] })).toBe('{"a":[true,null,{"d":null}],"b":1}');
  expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  expect(canonicalJson(undefined)).toBe('null');
});
