import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import {
  fingerprint,
  readCountedPage,
  type Fragment,
  type List,
  type Reader,
  type RowStreams,
} from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';

type UndeliveredQuery = z.output<typeof notifications.listUndelivered.query>;

interface UndeliveredRow {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly last_error: string | null;
  readonly attempts: number;
  readonly created_at: Date;
}

const columns = sql`m.id, m.recipient, m.subject, m.last_error, m.attempts, m.created_at`;

/** Rejected permanently, or given up after the last attempt. */
const given = sql`m.next_attempt_at is null and m.sent_at is null`;

/** One page of the undelivered mails of an organization, newest first. */
export async function pageUndelivered(reader: Reader, scope: OrganizationScope, query: UndeliveredQuery, limit: number) {
  const list = undeliveredList(scope);
  const { offset, cursor } = query;
  const request = { limit, ...(offset === undefined ? {} : { offset }), ...(cursor === undefined ? {} : { cursor }) };
  const count = countUndelivered(reader, list.scope);
  const [page, total] = await Promise.all([readCountedPage<UndeliveredRow>(reader, list, request, count), count]);
  return { result: page.rows.map(toUndeliveredDto), total, next: page.next, previous: page.previous };
}

/** As `pageUndelivered`, but all of them, streamed. */
export async function* streamUndelivered(
  streams: RowStreams,
  scope: OrganizationScope,
): AsyncGenerator<notifications.UndeliveredMail> {
  const rows = streams.open<UndeliveredRow>(sql`select ${columns} from mails m where ${ownedBy(scope)} order by m.id desc`);
  for await (const row of rows) yield toUndeliveredDto(row);
}

async function countUndelivered(reader: Reader, owned: Fragment): Promise<number> {
  const [row] = await reader.rows<{ total: number }>(sql`select count(*)::int as total from mails m where ${owned}`);
  return row!.total;
}

function ownedBy(scope: OrganizationScope): Fragment {
  return sql`m.organization_id = ${scope.organizationId}::uuid and ${given}`;
}

function undeliveredList(scope: OrganizationScope): List {
  return {
    fingerprint: fingerprint(['undelivered', scope.organizationId]),
    table: sql`mails m`,
    alias: 'm',
    identity: ['id'],
    scope: ownedBy(scope),
    filters: [],
    columns,
    segments: [{ from: sql`mails m`, keys: [{ column: sql.ref('m.id'), kind: 'uuid' }], descending: true }],
    prepared: true,
  };
}

function toUndeliveredDto(row: UndeliveredRow): notifications.UndeliveredMail {
  return {
    id: row.id,
    mail: row.recipient,
    subject: row.subject,
    reason: row.last_error ?? '',
    attempts: row.attempts,
    created: Math.floor(row.created_at.getTime() / 1000),
  };
}
