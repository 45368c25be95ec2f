// Reads tables of other domains: device_diagnoses, devices, position_faults, routers.
import { healthRatings, rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { natural, type Fragment } from '../../platform/listing/index.ts';
import type { ConfigRecord } from '../configs/index.ts';
import type { FirmwareRecord } from '../firmware/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import type { Queries } from '../../platform/ports/database.ts';
import { storedNames } from '../inventory/index.ts';
import { isActiveSql } from './is-active.ts';
import { isNamed, isUnsuited, rejectForeign, rowsOf, type Rows } from './impact.queries.ts';
import { waveSizes, type WaveInput, type WaveRules } from './waves.ts';

/**
 * Whether a device has a problem that an update should not meet first, as a condition on `devices d`: something was found about it (SAY-02), its
 * health is low, or positions of it were rejected within a day.
 */
function hasProblem(now: Date): Fragment {
  return sql`(coalesce(d.health < ${sql.lit(healthRatings.fair)}, false) or exists (select 1 from position_faults f
    where f.router_id = d.router_id and f.last_at > ${now}::timestamptz - interval '1 day')
    or exists (select from device_diagnoses x where x.organization_id = d.organization_id and x.device_id = d.id))`;
}

/**
 * The order in which routers are chosen to go first: connected ones without a problem, then those with one, then the others (WIN-01).
 * @param unsuited whether a router cannot be given the file: these are last
 */
export function firstOrder(unsuited: Fragment, now: Date): Fragment {
  return sql`${unsuited}, (d.presence = 'online') desc, ${hasProblem(now)}, d.id`;
}

/** Devices that were named to go first, as a condition on `devices d`. */
export function namedFirst(first: rollouts.FirstWave): Fragment {
  if ('tag' in first) return sql`d.tags @> array[${first.tag}]::text[]`;
  return isNamed(first.devices);
}

/**
 * The input of a rollout with the devices that go first by their ids and their serial numbers as these are stored.
 * @throws DomainError `not_found` for a device that is not of the organization
 */
export async function withStoredFirst<Input extends Pick<WaveInput, 'first'>>(
  queries: Queries,
  scope: OrganizationScope,
  input: Input,
): Promise<Input> {
  if (input.first === undefined || 'tag' in input.first) return input;
  const devices = await storedNames(queries, scope, input.first.devices);
  await rejectForeign(rowsOf(queries), scope, { first: devices });
  return { ...input, first: { devices } };
}

/** A file and what goes first, to see its effect. */
interface FirstInput {
  readonly firmware: FirmwareRecord | undefined;
  readonly config: ConfigRecord | undefined;
  readonly waves: WaveRules | null;
  readonly canaries: number;
}

/**
 * The routers that a binding would update first; of the firmware if both files are bound.
 * @param devices condition on `devices d`
 * @returns null when all begin at once
 */
export async function findFirstImpact(
  reader: Rows,
  devices: Fragment,
  { firmware, config, canaries, waves }: FirstInput,
  now: Date,
): Promise<rollouts.FirstImpact | null> {
  const { first = null, shares = [] } = waves ?? {};
  if (first === null && canaries === 0 && shares.length === 0) return null;
  const already =
    firmware === undefined
      ? isActiveSql('config', configFields(config))
      : isActiveSql('firmware', { label: sql`${firmware.version}`, model: sql`${firmware.profile}` });
  const unsuited = firmware === undefined ? isUnsuited('config') : isUnsuited('firmware', sql`${firmware.profile}`);
  const isFirst = first === null ? sql`k.turn <= ${canaries} and not k.already` : sql`k.named`;
  const [row] = await reader.rows<Omit<rollouts.FirstImpact, 'waves'> & { readonly following: number }>(sql`
    select (count(*) filter (where ${isFirst}))::int as routers,
      (count(*) filter (where ${isFirst} and k.presence <> 'online'))::int as offline,
      (count(*) filter (where not (${isFirst}) and not k.already))::int as following,
      coalesce((array_agg(k.name order by k.presence <> 'online', ${natural(sql`k.name`)}) filter (where ${isFirst}))[1:${sql.lit(rollouts.MAX_IMPACT_NAMES)}], '{}') as vehicles
    from (
      select d.presence, coalesce(nullif(d.vehicle_number, ''), d.serial) as name, ${already} as already,
        ${first === null ? sql`false` : namedFirst(first)} as named, row_number() over (order by ${already}, ${firstOrder(unsuited, now)}) as turn
      from devices d join routers r on r.id = d.router_id where ${devices}
    ) k`);
  const { following, ...impact } = row!;
  return { ...impact, waves: waveSizes(following, shares) };
}

function configFields(config: ConfigRecord | undefined) {
  return config === undefined ? {} : { label: sql`${config.name}`, sha256: sql`${config.sha256.toString('hex')}` };
}
