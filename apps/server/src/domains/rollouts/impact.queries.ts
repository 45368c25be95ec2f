// Reads tables of other domains: devices, groups, routers.
import { hash } from 'node:crypto';
import { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import { manyOf, natural, type Fragment, type Reader } from '../../platform/listing/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { findConfig, type ConfigRecord } from '../configs/index.ts';
import { findFirmware, type FirmwareRecord } from '../firmware/index.ts';
import { findActiveBinding } from './bindings.store.ts';
import { isActiveSql, plainVersionSql } from './is-active.ts';
import { optionsOf, type OptionsInput } from './rollout-options.ts';

/**
 * The members of the group after a change: its devices now, plus those that join, minus those that leave. Ids or serial numbers.
 */
export interface GroupMembership {
  readonly group?: string | undefined;
  /** All devices of the organization. */
  readonly whole?: boolean | undefined;
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Groups of which all devices join. */
  readonly from?: readonly string[];
}

/**
 * @param named ids or serial numbers, by the field that names them
 * @throws DomainError `not_found` for a device of another organization
 */
export async function rejectForeign(
  reader: Rows,
  scope: OrganizationScope,
  named: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [field, names] of Object.entries(named)) {
    const chosen = [...new Set(names)];
    if (chosen.length === 0) continue;
    const [row] = await reader.rows<{ count: number }>(
      sql`select count(*)::int as count from devices d where ${living(scope)} and ${isNamed(chosen)}`,
    );
    if (row!.count < chosen.length) throw new DomainError('not_found', { field });
  }
}

/** @throws DomainError `group.not_found`, also for a group of another organization */
export async function rejectForeignGroups(reader: Reader, { organizationId }: OrganizationScope, keys: readonly string[]) {
  // PostgreSQL has no text with NUL.
  const chosen = [...new Set(keys)].filter((key) => !key.includes('\0'));
  const [row] = await reader.rows<{ count: number }>(
    sql`select count(*)::int as count from groups g
      where g.organization_id = ${organizationId}::uuid and g.key in ${manyOf(chosen, 'text')}`,
  );
  if (row!.count < new Set(keys).size) throw new DomainError('group.not_found', { field: 'group' });
}

function living({ organizationId }: OrganizationScope): Fragment {
  return sql`d.organization_id = ${organizationId}::uuid and d.archived_at is null`;
}

/** Devices with these ids or serial numbers, as a condition on `devices d`. */
export function isNamed(names: readonly string[]): Fragment {
  const ids = names.filter(isId);
  return sql`(d.serial in ${manyOf(names, 'text')} or d.id in ${manyOf(ids, 'uuid')})`;
}

/** Devices of a group after a change, as a condition on `devices d`. */
export function members(scope: OrganizationScope, { group, whole, add, remove, from = [] }: GroupMembership): Fragment {
  const present = group === undefined ? sql`${whole === true}::boolean` : sql`d.group_key = ${group}`;
  const alone = add.length === 0 ? sql`false` : isNamed(add);
  const coming = from.length === 0 ? alone : sql`(${alone} or d.group_key in ${manyOf(from, 'text')})`;
  const staying = remove.length === 0 ? sql`true` : sql`not ${isNamed(remove)}`;
  return sql`${living(scope)} and (${present} and ${staying} or ${coming})`;
}

/** Reads rows, inside a transaction or outside. */
export type Rows = Pick<Reader, 'rows'>;

/** The same inside a transaction. */
export const rowsOf = (queries: Queries): Rows => ({
  rows: async <Row>(statement: Fragment) => (await sql<Row>`${statement}`.execute(queries)).rows,
});

/**
 * The options that a binding of these files would have; of the firmware if both are bound. What is left out is as in the active binding.
 * @throws DomainError `binding.waves`
 */
export async function findOptions(
  queries: Queries,
  scope: OrganizationScope,
  group: string | undefined,
  { firmware, config }: { readonly firmware: FirmwareRecord | undefined; readonly config: ConfigRecord | undefined },
  input: OptionsInput,
): Promise<ReturnType<typeof optionsOf>> {
  const kind = firmware === undefined ? 'config' : 'firmware';
  const file = { fileId: (firmware ?? config)?.id ?? '', number: firmware === undefined ? (config?.number ?? null) : null };
  const isOfFile = group !== undefined && file.fileId !== '';
  return optionsOf(input, file, isOfFile ? await findActiveBinding(queries, scope, group, kind) : undefined);
}

/**
 * What the active bindings of a group would change that begin at once.
 * @param devices condition on `devices d`; they need not be in the group, nor in its organization
 */
export async function arrivalImpact(
  queries: Queries,
  scope: OrganizationScope,
  group: string,
  devices: Fragment,
): Promise<rollouts.Arrivals> {
  const active = async (kind: rollouts.BindingKind) => {
    const binding = await findActiveBinding(queries, scope, group, kind);
    return binding?.schedule === 'immediate' && binding.state === 'running' ? binding : undefined;
  };
  const [firmware, config] = [await active('firmware'), await active('config')];
  const rows = rowsOf(queries);
  const arrivals = {
    firmware: firmware && {
      name: firmware.label,
      ...(await firmwareImpact(rows, devices, await findFirmware(queries, scope, firmware.fileId))),
    },
    config: config && {
      name: config.label,
      ...(await configImpact(rows, devices, await findConfig(queries, scope, config.fileId, config.number ?? undefined))),
    },
  };
  const seen = [arrivals.firmware, arrivals.config].map((arrival) => arrival && [arrival.name, arrival.confirmation]);
  return {
    firmware: arrivals.firmware ?? null,
    config: arrivals.config ?? null,
    confirmation: hash('sha256', JSON.stringify(seen)),
  };
}

/**
 * Compare what a group starts at once on devices that join it with what the user has seen. The group is locked, so that no binding of
 * it is written meanwhile.
 * @param seen `confirmation` of the impact; undefined = not compared
 * @throws DomainError `impact.changed` with the new impact as detail
 */
export async function rejectUnseenArrival(
  tx: Tx,
  scope: OrganizationScope,
  group: string,
  joining: readonly { readonly id: string }[],
  seen: string | undefined,
  field: string,
): Promise<void> {
  if (seen === undefined) return;
  const ids = joining.map(({ id }) => id);
  const impact = await arrivalImpact(tx, scope, group, sql`${living(scope)} and d.id in ${manyOf(ids, 'uuid')}`);
  if (impact.confirmation !== seen) throw new DomainError('impact.changed', { field, detail: impact });
}

/** The effect of binding this firmware. @param devices condition on `devices d` */
export function firmwareImpact(
  reader: Rows,
  devices: Fragment,
  { version, profile, signed_by: signedBy }: FirmwareRecord,
): Promise<rollouts.Impact> {
  return count(reader, devices, {
    already: isActiveSql('firmware', { label: sql`${version}`, model: sql`${profile}` }),
    unsuited: isUnsuited('firmware', sql`${profile}`),
    isOtherModel: sql`d.model <> ${profile}`,
    isOlder: isOlderSql(sql`${version}::text`, sql`d.firmware`),
    isUnsigned: signedBy === null ? sql`true` : sql`r.reported -> 'ota' ->> 'signature' is distinct from 'true'`,
  });
}

/** `isOlderVersion` in SQL; null where one of the two has no numbers. */
function isOlderSql(version: Fragment, than: Fragment): Fragment {
  const numbers = (of: Fragment) => sql`string_to_array(regexp_replace(
    substring(${plainVersionSql(of)} from '^[0-9]{1,18}(?:[.][0-9]{1,18})*(?![0-9])'), '(?:[.]0+)+$', ''), '.')::bigint[]`;
  return sql`${numbers(version)} < ${numbers(than)}`;
}

/** The effect of binding this config file; config files carry no signature. */
export function configImpact(reader: Rows, devices: Fragment, { name, sha256 }: ConfigRecord): Promise<rollouts.Impact> {
  return count(reader, devices, {
    already: isActiveSql('config', { label: sql`${name}`, sha256: sql`${sha256.toString('hex')}` }),
    unsuited: isUnsuited('config'),
    isOtherModel: sql`false`,
    isOlder: sql`false`,
    isUnsigned: sql`false`,
  });
}

/**
 * Whether a router cannot be given a file, as a condition on `devices d` with its `routers r`; before it reports its commands, nothing is known.
 * @param model that the firmware is for
 */
export function isUnsuited(kind: rollouts.BindingKind, model: Fragment = sql`null`): Fragment {
  if (kind === 'config') return sql`coalesce(r.reported ? 'ota' and ${lacksCommand('config', 'config_slot')}, false)`;
  return sql`coalesce(d.model <> ${model} or r.reported ? 'ota'
    and (r.reported ->> 'model' is distinct from ${model} or ${lacksCommand('firmware', 'idle_slot')}), false)`;
}

/** As `nextRolloutStep` decides it, which ends these as unsupported. */
function lacksCommand(kind: rollouts.BindingKind, slot: string): Fragment {
  return sql`(r.reported -> 'ota' ->> ${sql.lit(kind)} is distinct from 'true' or r.reported ->> ${sql.lit(slot)} is null)`;
}

/** Newer versions that an impact names. */
const MOST_VERSIONS = 3;

interface Conditions {
  readonly already: Fragment;
  readonly unsuited: Fragment;
  readonly isOtherModel: Fragment;
  /** It runs a newer version now. */
  readonly isOlder: Fragment;
  readonly isUnsigned: Fragment;
}

async function count(
  reader: Rows,
  devices: Fragment,
  { already, unsuited, isOtherModel, isOlder, isUnsigned }: Conditions,
): Promise<rollouts.Impact> {
  const [row] = await reader.rows<rollouts.Impact>(sql`
    with m as materialized (
      select d.id, d.presence, d.model, d.firmware, coalesce(nullif(d.vehicle_number, ''), d.serial) as name, k.*, not k.already and not k.unsuited as changes
      from devices d join routers r on r.id = d.router_id cross join lateral (
        select ${already} as already, ${unsuited} as unsuited,
          coalesce(${isOtherModel}, false) as other_model, coalesce(${isOlder}, false) as older, ${isUnsigned} as unsigned
      ) k where ${devices}
    )
    select count(*)::int as routers,
      (count(*) filter (where m.already))::int as already,
      (count(*) filter (where m.unsuited and not m.already))::int as unsuited,
      (count(*) filter (where m.changes))::int as change,
      (count(*) filter (where m.changes and m.presence <> 'online'))::int as offline,
      (count(*) filter (where m.changes and m.older))::int as older,
      array(select o.firmware from (select m2.firmware, count(*) as n from m m2 where m2.changes and m2.older group by 1 order by 2 desc, 1
        limit ${sql.lit(MOST_VERSIONS)}) o) as newer,
      (count(*) filter (where m.changes and m.unsigned))::int as unsigned,
      (count(*) filter (where m.other_model))::int as "ofOtherModel",
      coalesce(array_agg(distinct m.model) filter (where m.other_model), '{}') as "otherModels",
      coalesce((array_agg(m.name order by ${natural(sql`m.name`)}) filter (where m.changes and m.presence = 'online'))[1:${sql.lit(rollouts.MAX_IMPACT_NAMES)}], '{}') as vehicles,
      encode(sha256(convert_to(coalesce(string_agg(m.id::text, ' ' order by m.id) filter (where m.changes), ''), 'UTF8')), 'hex') as confirmation
    from m`);
  return row!;
}
