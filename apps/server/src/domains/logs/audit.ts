import { createHash } from 'node:crypto';
import type { LogSentence } from '@highline/contract/log-texts';
import { sql } from 'kysely';
import { isId, type Actor, type SecondPerson } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { announceLog } from '../../platform/outbox/announce.ts';
import { boundedDetail, boundedLine } from './bounds.ts';
import { storedAction, type AuditAction } from './sentences.ts';

/** The actor of a log entry: a user, or the system. */
export type AuditActor = Pick<Actor, 'email' | 'address' | 'key' | 'ownRole' | 'with'> & {
  readonly accountId: string | null;
  readonly role: string;
};

/** The actor of entries that the server writes by itself. */
export const serverActor: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

/** An event to log. `action` is a sentence by its key; `detail` has the changed values, without secrets. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly subject: { readonly kind: string; readonly id: string };
  readonly detail: Readonly<Record<string, unknown>>;
  /** Ids of all devices it is about, for their timelines; if left out, the subject's if that is one device. */
  readonly devices?: readonly string[];
}

/** The fields an entry's hash covers, in this order (DECISIONS, Audit). */
export interface AuditEntryContent {
  readonly chainId: string;
  readonly seq: number;
  readonly at: string;
  readonly actorId: string | null;
  readonly actorEmail: string;
  readonly actorRole: string;
  /** The API key that the actor used, by name (HKS-02); left out otherwise, so that hashes of older entries stay. */
  readonly actorKey?: string | undefined;
  /** Who approved it, or let the actor in (IAM-05, IAM-07); left out otherwise. */
  readonly actorWith?: readonly SecondPerson[] | undefined;
  readonly address: string;
  readonly action: string;
  /** Key and parameters of the action; left out by entries of versions before it, so that their hashes stay (P14). */
  readonly sentence?: LogSentence | undefined;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly detail: unknown;
}

const GENESIS = Buffer.alloc(32);

/** JSON with sorted keys, so that the same detail always hashes alike, also after a round trip through jsonb. */
export function canonicalJson(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

/** SHA-256 over the previous hash and the entry's content: an entry that is changed, missing or moved breaks the chain. */
export function hashEntry(previousHash: Buffer, content: AuditEntryContent): Buffer {
  return createHash('sha256').update(previousHash).update(canonicalJson(content)).digest();
}

/**
 * Append an entry to a chain inside the transaction of the logged change (LOG-02), and announce the log to consoles. The head's row lock orders writers of one
 * chain; call it as the last statement of a transaction to keep that lock short.
 * @param chainId the organization's id, or the main account's for events without an organization
 */
export function recordAudit(tx: Tx, chainId: string, actor: AuditActor, event: AuditEvent, now = new Date()): Promise<void> {
  return recordAudits(tx, chainId, [{ actor, event }], now);
}

/** The same for several entries of one chain, in their order and with as many statements as for one. */
export async function recordAudits(
  tx: Tx,
  chainId: string,
  entries: readonly { readonly actor: AuditActor; readonly event: AuditEvent }[],
  now: Date,
): Promise<void> {
  await announceLog(tx, chainId);
  await tx
    .insertInto('audit_heads')
    .values({ chain_id: chainId, seq: 0, hash: GENESIS })
    .onConflict((conflict) => conflict.column('chain_id').doNothing())
    .execute();
  let head = await tx
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('chain_id', '=', chainId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const rows = entries.map(({ actor, event }) => {
    const content = contentOf(chainId, head.seq + 1, actor, event, now);
    const hash = hashEntry(head.hash, content);
    const row = rowOf(content, now, head.hash, hash);
    head = { seq: content.seq, hash };
    return row;
  });
  await tx.insertInto('audit_entries').values(rows).execute();
  await tx.updateTable('audit_heads').set(head).where('chain_id', '=', chainId).execute();
  await findableByDevice(
    tx,
    chainId,
    entries.flatMap(({ event }, index) => devicesOf(event).map((device) => ({ device, seq: rows[index]!.seq }))),
    now,
  );
}

function contentOf(chainId: string, seq: number, actor: AuditActor, event: AuditEvent, now: Date): AuditEntryContent {
  return {
    chainId,
    seq,
    at: now.toISOString(),
    actorId: actor.accountId,
    actorEmail: boundedLine(actor.email, 'email'),
    // It never reads as one of the roles of the product, whatever its name is.
    actorRole: boundedLine(actor.ownRole === undefined ? actor.role : `${actor.role} · ${actor.ownRole.name}`, 'role'),
    ...(actor.key === undefined ? {} : { actorKey: boundedLine(actor.key.label, 'key') }),
    ...(actor.with === undefined
      ? {}
      : { actorWith: actor.with.map(({ as, email }) => ({ as, email: boundedLine(email, 'email') })) }),
    address: boundedLine(actor.address, 'address'),
    ...storedAction(event.action),
    subjectKind: boundedLine(event.subject.kind, 'kind'),
    subjectId: boundedLine(event.subject.id, 'id'),
    detail: boundedDetail(event.detail, canonicalJson),
  };
}

function rowOf(content: AuditEntryContent, now: Date, previousHash: Buffer, hash: Buffer) {
  return {
    chain_id: content.chainId,
    seq: content.seq,
    at: now,
    actor_id: content.actorId,
    actor_email: content.actorEmail,
    actor_role: content.actorRole,
    actor_key: content.actorKey ?? null,
    actor_with: content.actorWith === undefined ? null : canonicalJson(content.actorWith),
    address: content.address,
    action: content.action,
    sentence: content.sentence === undefined ? null : canonicalJson(content.sentence),
    subject_kind: content.subjectKind,
    subject_id: content.subjectId,
    detail: canonicalJson(content.detail),
    previous_hash: previousHash,
    hash,
  };
}

function devicesOf({ subject, devices }: AuditEvent): readonly string[] {
  return devices ?? (subject.kind === 'device' && isId(subject.id) ? [subject.id] : []);
}

/** Index entries by each device they are about, also as one of many. */
async function findableByDevice(
  tx: Tx,
  chainId: string,
  marks: readonly { readonly device: string; readonly seq: number }[],
  now: Date,
): Promise<void> {
  if (marks.length === 0) return;
  await sql`insert into audit_devices (chain_id, seq, device_id, at)
    select distinct ${chainId}::uuid, m.seq, m.device, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(marks)}::jsonb) as m (device uuid, seq bigint)`.execute(tx);
}
