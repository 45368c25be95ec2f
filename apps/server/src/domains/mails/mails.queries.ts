import type { notifications } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { defineList } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Row } from '../../platform/ports/tables.ts';

type UndeliveredQuery = z.output<typeof notifications.listUndelivered.query>;

type UndeliveredRow = Row<'mails', 'id' | 'recipient' | 'subject' | 'last_error' | 'attempts' | 'created_at' | 'sent_at'>;

const table = sql`mails m`;

/** The undelivered mails of an organization, newest first: rejected permanently, given up after the last attempt, or returned later. */
export const undeliveredList = defineList({
  of: (scope: OrganizationScope, _query: UndeliveredQuery) => ({
    name: 'undelivered',
    table,
    alias: 'm',
    identity: ['id'],
    scope: sql`m.organization_id = ${scope.organizationId}::uuid and m.next_attempt_at is null and (m.sent_at is null or m.bounced_at is not null)`,
    filters: [],
    columns: sql`m.id, m.recipient, m.subject, m.last_error, m.attempts, m.created_at, m.sent_at`,
    segments: [{ from: table, keys: [{ column: sql.ref('m.id'), kind: 'uuid' }], descending: true }],
  }),
  toDto: toUndeliveredDto,
});

function toUndeliveredDto(row: UndeliveredRow): notifications.UndeliveredMail {
  return {
    id: row.id,
    mail: row.recipient,
    subject: row.subject,
    reason: row.last_error ?? '',
    attempts: row.attempts,
    returned: row.sent_at !== null,
    created: Math.floor(row.created_at.getTime() / 1000),
  };
}
