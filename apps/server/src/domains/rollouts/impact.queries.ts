// Reads tables of other domains: devices, routers.
import { hash } from 'node:crypto';
import { rollouts, type organizations } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import { manyOf, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { findConfig, type ConfigRecord } from '../configs/index.ts';
import { findFirmware, type FirmwareRecord } from '../firmware/index.ts';
import { findActiveBinding } from './bindings.store.ts';
import { isActiveSql } from './is-active.ts';

/**
 * The members of the group after a change: its devices now, plus those that join, minus those that leave. Ids or serial numbers.
 */
export interface GroupMembership {
  readonly group?: string | undefined;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Groups of which all devices join. */
  readonly from?: readonly string[];
}

/** @throws DomainError `not_found` for a device of another organization */
export async function rejectForeign(
  reader: Reader,
  scope: OrganizationScope,
  { add, remove }: Pick<GroupMembership, 'add' | 'remove'>,
): Promise<void> {
  for (const [field, names] of Object.entries({ add, remove })) {
    const chosen = [...new Set(names)];
    if (chosen.length === 0) continue;
    const [row] = await reader.rows<{ count: number }>(
      sql`select count(*)::int as count from devices d where ${living(scope)} and ${named(chosen)}`,
    );
    if (row!.count < chosen.length) throw new DomainError('not_found', { field });
  }
}

function living({ organizationId }: OrganizationScope): Fragment {
  return sql`d.organization_id = ${organizationId}::uuid and d.archived_at is null`;
}

function named(names: readonly string[]): Fragment {
  const ids = names.filter(isId);
  return sql`(d.serial in ${manyOf(names, 'text')} or d.id in ${manyOf(ids, 'uuid')})`;
}

/** Devices of a group after a change, as a condition on `devices d`. */
export function members(scope: OrganizationScope, { group, add, remove, from = [] }: GroupMembership): Fragment {
  const present = group === undefined ? sql`false` : sql`d.group_key = ${group}`;
  const alone = add.length === 0 ? sql`false` : named(add);
  const coming = from.length === 0 ? alone : sql`(${alone} or d.group_key in ${manyOf(from, 'text')})`;
  const staying = remove.length === 0 ? sql`true` : sql`not ${named(remove)}`;
  return sql`${living(scope)} and (${present} and ${staying} or ${coming})`;
}

/** Reads rows, inside a transaction or outside. */
export type Rows = Pick<Reader, 'rows'>;

/** The same inside a transaction. */
export const rowsOf = (tx: Tx): Rows => ({
  rows: async <Row>(statement: Fragment) => (await sql<Row>`${statement}`.execute(tx)).rows,
});

/**
 * What the active bindings of a group would change that begin at once.
 * @param devices condition on `devices d`; they need not be in the group, nor in its organization
 */
export async function arrivalImpact(
  tx: Tx,
  scope: OrganizationScope,
  group: string,
  devices: Fragment,
): Promise<organizations.TransferImpact> {
  const active = async (kind: rollouts.BindingKind) => {
    const binding = await findActiveBinding(tx, scope, group, kind);
    return binding?.schedule === 'immediate' && binding.state === 'running' ? binding : undefined;
  };
  const [firmware, config] = [await active('firmware'), await active('config')];
  const rows = rowsOf(tx);
  const arrivals = {
    firmware: firmware && {
      name: firmware.label,
      ...(await firmwareImpact(rows, devices, await findFirmware(tx, scope, firmware.fileId))),
    },
    config: config && { name: config.label, ...(await configImpact(rows, devices, await findConfig(tx, scope, config.fileId))) },
  };
  const seen = [arrivals.firmware, arrivals.config].map((arrival) => arrival && [arrival.name, arrival.confirmation]);
  return {
    firmware: arrivals.firmware ?? null,
    config: arrivals.config ?? null,
    confirmation: hash('sha256', JSON.stringify(seen)),
  };
}

/** The effect of binding this firmware. @param devices condition on `devices d` */
export function firmwareImpact(
  reader: Rows,
  devices: Fragment,
  { version, profile, signed_by: signedBy }: FirmwareRecord,
): Promise<rollouts.Impact> {
  return count(reader, devices, {
    already: isActiveSql('firmware', { label: sql`${version}`, model: sql`${profile}` }),
    unsuited: sql`d.model <> ${profile} or r.reported -> 'ota' ->> 'firmware' = 'false'`,
    isOtherModel: sql`d.model <> ${profile}`,
    isUnsigned: signedBy === null ? sql`true` : sql`r.reported -> 'ota' ->> 'signature' is distinct from 'true'`,
  });
}

/** The effect of binding this config file; config files carry no signature. */
export function configImpact(reader: Rows, devices: Fragment, { name, sha256 }: ConfigRecord): Promise<rollouts.Impact> {
  return count(reader, devices, {
    already: isActiveSql('config', { label: sql`${name}`, sha256: sql`${sha256.toString('hex')}` }),
    unsuited: sql`r.reported -> 'ota' ->> 'config' = 'false'`,
    isOtherModel: sql`false`,
    isUnsigned: sql`false`,
  });
}

interface Conditions {
  readonly already: Fragment;
  readonly unsuited: Fragment;
  readonly isOtherModel: Fragment;
  readonly isUnsigned: Fragment;
}

async function count(
  reader: Rows,
  devices: Fragment,
  { already, unsuited, isOtherModel, isUnsigned }: Conditions,
): Promise<rollouts.Impact> {
  const [row] = await reader.rows<rollouts.Impact>(sql`
    select count(*)::int as routers,
      (count(*) filter (where m.already))::int as already,
      (count(*) filter (where m.unsuited and not m.already))::int as unsuited,
      (count(*) filter (where m.changes))::int as change,
      (count(*) filter (where m.changes and m.presence <> 'online'))::int as offline,
      (count(*) filter (where m.changes and m.unsigned))::int as unsigned,
      coalesce(array_agg(distinct m.model) filter (where m.other_model), '{}') as "otherModels",
      coalesce((array_agg(m.name order by m.name) filter (where m.changes and m.presence = 'online'))[1:${sql.lit(rollouts.MAX_IMPACT_NAMES)}], '{}') as vehicles,
      encode(sha256(convert_to(coalesce(string_agg(m.id::text, ' ' order by m.id) filter (where m.changes), ''), 'UTF8')), 'hex') as confirmation
    from (
      select d.id, d.presence, d.model, coalesce(nullif(d.vehicle_number, ''), d.serial) as name, k.*, not k.already and not k.unsuited as changes
      from devices d join routers r on r.id = d.router_id cross join lateral (
        select ${already} as already, coalesce(${unsuited}, false) as unsuited,
          coalesce(${isOtherModel}, false) as other_model, ${isUnsigned} as unsigned
      ) k where ${devices}
    ) m`);
  return row!;
}
