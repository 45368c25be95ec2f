import type { recordings } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'recordings.end_reason': recordings.RecordingEnd;
  }
}

export async function writeRecordingSettings(
  tx: Tx,
  { organizationId: organization_id }: OrganizationScope,
  { recorded: is_recorded, days }: recordings.RecordingSettings,
): Promise<void> {
  await tx
    .insertInto('recording_settings')
    .values({ organization_id, is_recorded, days })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ is_recorded, days }))
    .execute();
}

/** A terminal that is recorded. */
export interface RecordedTerminal {
  /** Of its remote session. */
  readonly id: string;
  readonly deviceId: string;
  readonly serial: string;
  readonly accountId: string;
  readonly email: string;
  /** Of the vehicle's network, to which it leads; null = to the router. */
  readonly client: recordings.RecordedClient | null;
}

export async function insertRecording(
  tx: Tx,
  { organizationId }: OrganizationScope,
  { id, deviceId, serial, accountId, email, client }: RecordedTerminal,
  hash: Buffer,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('recordings')
    .values({
      organization_id: organizationId,
      id,
      device_id: deviceId,
      serial,
      account_id: accountId,
      account_email: email,
      began_at: now,
      hash,
      client_mac: client?.mac ?? null,
      client_address: client?.address ?? null,
      client_port: client?.port ?? null,
    })
    .execute();
}

/** The next part of a recording. */
export interface NewChunk {
  readonly seq: number;
  readonly contents: Buffer;
  /** Before compression. */
  readonly bytes: number;
  readonly hash: Buffer;
}

/** @returns false when the recording has ended, or another chunk has its number */
export async function insertChunk(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  { seq, contents, bytes, hash }: NewChunk,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`with head as (
      update recordings set chunks = chunks + 1, bytes = bytes + ${bytes}::bigint, hash = ${hash}::bytea
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid and ended_at is null and chunks = ${seq}::integer
      returning organization_id, id)
    insert into recording_chunks (organization_id, recording_id, seq, contents)
    select organization_id, id, ${seq}::integer, ${contents}::bytea from head`.execute(tx);
  return numAffectedRows === 1n;
}

/** A recording that ended just now. */
export interface EndedRecording extends Row<
  'recordings',
  'device_id' | 'serial' | 'chunks' | 'bytes' | 'hash' | 'account_email'
> {}

/** @returns undefined when it had ended already */
export async function markRecordingEnded(
  tx: Tx,
  { organizationId }: OrganizationScope,
  id: string,
  reason: recordings.RecordingEnd,
  now: Date,
): Promise<EndedRecording | undefined> {
  return tx
    .updateTable('recordings')
    .set({ ended_at: now, end_reason: reason })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['device_id', 'serial', 'chunks', 'bytes', 'hash', 'account_email'])
    .executeTakeFirst();
}

/** Chunks read at once: one is at most two megabytes. */
const AT_ONCE = 4;

/** The compressed chunks of a recording, in their order. */
export async function* readChunks(queries: Queries, { organizationId }: OrganizationScope, id: string): AsyncGenerator<Buffer> {
  for (let from = 0; ; from += AT_ONCE) {
    const rows = await queries
      .selectFrom('recording_chunks')
      .select('contents')
      .where('organization_id', '=', organizationId)
      .where('recording_id', '=', id)
      .where('seq', '>=', from)
      .where('seq', '<', from + AT_ONCE)
      .orderBy('seq')
      .execute();
    for (const { contents } of rows) yield contents;
    if (rows.length < AT_ONCE) return;
  }
}
