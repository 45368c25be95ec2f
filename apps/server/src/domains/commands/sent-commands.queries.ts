// Reads tables of other domains: devices.
import type { sentCommands } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { isId, sanitizeLine, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { defineList, type Reader } from '../../platform/listing/index.ts';
import type { Tx } from '../../platform/ports/database.ts';

interface SentRow {
  readonly id: string;
  readonly device_id: string;
  readonly serial: string;
  readonly vehicle_number: string | null;
  readonly kind: sentCommands.SentKind;
  readonly argument: string;
  readonly name: string;
  readonly state: sentCommands.SentState;
  readonly reason: sentCommands.SentReason | null;
  readonly message: string | null;
  readonly actor: Actor;
  readonly job_id: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly sent_at: Date | null;
  readonly ended_at: Date | null;
}

const table = sql`sent_commands c`;
const columns = sql`c.id, c.device_id, c.serial, d.vehicle_number, c.kind, c.argument, c.name, c.state, c.reason, c.message, c.actor,
  c.job_id, c.created_at, c.expires_at, c.sent_at, c.ended_at`;
const joins = sql`left join devices d on d.organization_id = c.organization_id and d.id = c.device_id`;

const ownedBy = ({ organizationId }: OrganizationScope) => sql`c.organization_id = ${organizationId}::uuid`;

/** Commands of an organization, the newest first (LIV-09). */
export const sentList = defineList({
  of: (scope: OrganizationScope, { device, job, open }: z.output<typeof sentCommands.listSentCommands.query>) => ({
    name: 'sent-commands',
    table,
    alias: 'c',
    identity: ['id'],
    scope: ownedBy(scope),
    filters: [
      ...(device === undefined ? [] : [isId(device) ? sql`c.device_id = ${device}::uuid` : sql`false`]),
      ...(job === undefined ? [] : [isId(job) ? sql`c.job_id = ${job}::uuid` : sql`false`]),
      ...(open === undefined ? [] : [sql`c.ended_at is null`]),
    ],
    estimatable: device === undefined && job === undefined && open === undefined,
    columns,
    joins,
    segments: [{ from: table, keys: [{ column: sql`c.id`, kind: 'uuid' as const }], descending: true }],
  }),
  toDto: (row: SentRow) => toSentDto(row),
});

/** A command of the organization as the API returns it, or undefined; also for an invalid id. */
export async function findSent(
  reader: Reader,
  scope: OrganizationScope,
  id: string,
): Promise<sentCommands.SentCommand | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await reader.rows<SentRow>(
    sql`select ${columns} from ${table} ${joins} where c.id = ${id}::uuid and ${ownedBy(scope)}`,
  );
  return row && toSentDto(row);
}

function toSentDto(row: SentRow): sentCommands.SentCommand {
  return {
    id: row.id,
    device: row.device_id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number ?? '',
    kind: row.kind,
    argument: row.argument,
    name: row.name,
    state: row.state,
    reason: row.reason,
    message: sanitizeLine(row.message ?? '') ?? '',
    by: row.actor.email,
    job: row.job_id,
    created: row.created_at.toISOString(),
    expires: row.expires_at.toISOString(),
    sent: row.sent_at?.toISOString() ?? null,
    ended: row.ended_at?.toISOString() ?? null,
  };
}

/** A device that is sent a command. */
export interface TargetRow {
  readonly device_id: string;
  readonly router_id: string;
  readonly serial: string;
  readonly is_online: boolean;
  /** Commands of it that have not ended. */
  readonly open: number;
}

/** Living devices of the organization. */
export async function findTargets(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[]): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`select d.id as device_id, d.router_id, d.serial, d.presence = 'online' as is_online,
      (select count(*)::int from sent_commands s where s.router_id = d.router_id and s.ended_at is null) as open
    from devices d
    where d.organization_id = ${scope.organizationId}::uuid and d.id = any (${[...deviceIds]}::uuid[]) and d.archived_at is null
    order by d.id`.execute(tx);
  return rows;
}
