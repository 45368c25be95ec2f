import type { Client } from 'pg';
import { hashEntry } from '../apps/server/src/domains/logs/audit.ts';
import { seedOrganization, type BenchDatabase } from './cluster.ts';
import type { BigOrganization } from './devices.seed.ts';
import { options } from './options.ts';

export const ENTRIES = options.short ? 20_000 : 1_000_000;
const BATCH = 10_000;
const SPAN_MS = 700 * 86_400_000;

/** One log of a million entries, a valid chain, over 700 days, by 200 users from 500 addresses, about 20,000 devices. */
export async function seedLog(database: BenchDatabase): Promise<BigOrganization> {
  const { owner } = database;
  const { mainAccountId, organizationId, admin } = await seedOrganization(database);
  const indexes = await withoutSearchIndexes(owner);
  await owner.query('delete from audit_entries where chain_id = $1', [organizationId]);
  await writeChain(owner, organizationId);
  for (const index of indexes) await owner.query(index);
  await owner.query('vacuum (analyze) audit_entries');
  return { organizationId, mainAccountId, adminId: admin.id, bearer: admin.bearer };
}

/**
 * Updating the indexes row by row for a million rows would cost more than everything else. @returns the statements that recreate
 * them
 */
async function withoutSearchIndexes(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ indexname: string; indexdef: string }>(
    "select indexname, indexdef from pg_indexes where tablename = 'audit_entries' and indexdef like '% gin %'",
  );
  for (const { indexname } of rows) await owner.query(`drop index ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}

const draw = (seq: number, below: number) => (Math.imul(seq, 0x9e3779b1) >>> 0) % below;
const verbs = ['Changed note of', 'Changed vehicle number of', 'Changed group of', 'Added', 'Deleted'];

async function writeChain(owner: Client, chainId: string): Promise<void> {
  const begin = Date.now() - SPAN_MS;
  let previous: Buffer = Buffer.alloc(32);
  for (let seq = 1; seq <= ENTRIES;) {
    const rows: unknown[] = [];
    for (let row = 0; row < BATCH; row += 1, seq += 1) {
      const device = `HL${String(draw(seq, 20_000)).padStart(8, '0')}`;
      const content = {
        chainId,
        seq,
        at: new Date(begin + Math.floor((seq / ENTRIES) * (SPAN_MS - 60_000))).toISOString(),
        actorId: null,
        actorEmail: `person-${draw(seq * 7, 200)}@bench.example`,
        actorRole: 'admin',
        address: `192.0.${draw(seq * 11, 2)}.${draw(seq * 13, 250)}`,
        action: `${verbs[draw(seq * 17, verbs.length)]!} device ${device}`,
        subjectKind: 'device',
        subjectId: device,
        detail: { serial: device, before: { note: '' }, after: { note: `Note ${seq}` } },
      };
      const hash = hashEntry(previous, content);
      rows.push({ ...content, previous: previous.toString('hex'), hash: hash.toString('hex') });
      previous = hash;
    }
    await owner.query(insertEntries, [JSON.stringify(rows)]);
  }
  await owner.query('update audit_heads set seq = $2, hash = $3 where chain_id = $1', [chainId, ENTRIES, previous]);
}

const insertEntries = `insert into audit_entries (chain_id, seq, at, actor_email, actor_role, address, action, subject_kind, subject_id,
    detail, previous_hash, hash)
  select n."chainId", n.seq, n.at, n."actorEmail", n."actorRole", n.address, n.action, n."subjectKind", n."subjectId", n.detail,
    decode(n.previous, 'hex'), decode(n.hash, 'hex')
  from jsonb_to_recordset($1::jsonb) as n ("chainId" uuid, seq bigint, at timestamptz, "actorEmail" text, "actorRole" text, address text,
    action text, "subjectKind" text, "subjectId" text, detail jsonb, previous text, hash text)`;
