import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import { manyOf } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Queries, Tx, EsimReport, Row } from '../../platform/ports/index.ts';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { AcceptedProfile, ProfileHome } from './validate-profile.ts';
import { profileColumns, type ProfileRow, type StoredStatus } from './profile.dto.ts';

/** Rows per statement of a bulk write. */
const BATCH = 5_000;

/** A router of the organization by its serial number. */
export interface FoundRouter extends Pick<ProfileHome, 'deviceId' | 'routerId' | 'serial'> {
  /** Reported by the router; null if it was not. */
  readonly reportedEid: string | null;
  readonly vehicle: string;
  /** Its reported eUICC; null = it has none, or has not reported. */
  readonly reported: EsimReport | null;
  /** False = it has reported its SIMs, and none is an eUICC; undefined = it has not reported them yet. */
  readonly hasEuicc: boolean | undefined;
}

/** Columns of `FoundRouter` in `devices d join routers r`. */
const foundColumns = sql`d.id as "deviceId", d.router_id as "routerId", d.serial, d.eid as "reportedEid", d.vehicle_number as vehicle,
  nullif(r.reported -> 'esim', 'null'::jsonb) as reported,
  case when coalesce(r.reported -> 'esim', 'null'::jsonb) <> 'null'::jsonb then true
    when r.reported ? 'esim' or r.reported ->> 'esim_support' = 'false' then false end as "hasEuicc"`;

/** The router of a device, whatever its serial number. */
export async function findRouterOfProfiles(queries: Queries, scope: OrganizationScope, deviceId: string): Promise<FoundRouter> {
  const { rows } = await sql<FoundRow>`select ${foundColumns} from devices d join routers r on r.id = d.router_id
    where d.organization_id = ${scope.organizationId}::uuid and d.id = ${deviceId}::uuid`.execute(queries);
  return foundRouter(rows[0]!);
}

interface FoundRow extends Omit<FoundRouter, 'hasEuicc'> {
  readonly hasEuicc: boolean | null;
}

const foundRouter = (row: FoundRow): FoundRouter => ({ ...row, hasEuicc: row.hasEuicc ?? undefined });

/** Routers of the organization by their serial numbers. */
export async function findRoutersBySerial(
  queries: Queries,
  scope: Scope,
  serials: readonly string[],
): Promise<Map<string, FoundRouter>> {
  const found = new Map<string, FoundRouter>();
  const mine =
    scope.kind === 'organization'
      ? sql`d.organization_id = ${scope.organizationId}::uuid`
      : sql`d.main_account_id = ${scope.mainAccountId}::uuid`;
  for (let start = 0; start < serials.length; start += BATCH) {
    const batch = serials.slice(start, start + BATCH).filter((serial) => !serial.includes('\0'));
    const { rows } = await sql<FoundRow>`select ${foundColumns} from devices d join routers r on r.id = d.router_id
      where ${mine} and d.archived_at is null and d.serial = any (${batch}::text[])`.execute(queries);
    for (const row of rows) found.set(row.serial, foundRouter(row));
  }
  return found;
}

/** A profile with the additional fields that its changes need. */
export type LockedProfile = ProfileRow & Row<'esim_profiles', 'router_id' | 'sealed_confirmation' | 'path' | 'step'>;

/** The profiles of routers of the organization; the caller has the routers locked, so that they do not change meanwhile. */
export async function profilesOfRouters(
  queries: Queries,
  scope: OrganizationScope,
  routerIds: readonly string[],
): Promise<LockedProfile[]> {
  const found: LockedProfile[] = [];
  for (let start = 0; start < routerIds.length; start += BATCH) {
    const { rows } =
      await sql<LockedProfile>`select ${profileColumns}, p.router_id, p.sealed_confirmation, p.path, p.step from esim_profiles p
      where p.organization_id = ${scope.organizationId}::uuid
        and p.router_id in ${manyOf(routerIds.slice(start, start + BATCH), 'uuid')}
      order by p.router_id, p.priority`.execute(queries);
    found.push(...rows);
  }
  return found;
}

/** The router of a profile of the organization; undefined when there is no such profile. */
export async function routerOfProfile(tx: Tx, scope: OrganizationScope, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('esim_profiles')
    .select('router_id')
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.router_id;
}

/** An accepted profile to insert. */
export interface NewProfile extends Omit<AcceptedProfile, 'code' | 'confirmation' | 'priority'> {
  readonly id: string;
  readonly deviceId: string;
  readonly routerId: string;
  readonly sealedCode: Buffer | null;
  readonly sealedConfirmation: Buffer | null;
  readonly priority: number;
}

/** Insert new profiles; the engine checks their routers at once. */
export async function insertProfiles(
  tx: Tx,
  scope: OrganizationScope,
  profiles: readonly NewProfile[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < profiles.length; start += BATCH) {
    const rows = profiles.slice(start, start + BATCH).map(({ sealedCode, sealedConfirmation, ...profile }) => ({
      ...profile,
      sealed: sealedCode?.toString('hex') ?? null,
      confirmation: sealedConfirmation?.toString('hex') ?? null,
    }));
    await sql`insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, eid, is_preloaded,
        sealed_code, sealed_confirmation, iccid, apn, apn2, name, status, priority, created_at, updated_at, due_at)
      select ${scope.organizationId}::uuid, n.id, ${scope.mainAccountId}::uuid, n."deviceId", n."routerId", n.serial, n.eid,
        n."isPreloaded", decode(n.sealed, 'hex'), decode(n.confirmation, 'hex'), n.iccid, n.apn, n.apn2, n.name, 'Assigning...',
        n.priority, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, "deviceId" uuid, "routerId" uuid, serial text,
        eid text, "isPreloaded" boolean, sealed text, confirmation text, iccid text, apn text, apn2 text, name text,
        priority smallint)`.execute(tx);
  }
}

/** A step under way has its own due time; the next one is decided when it ends. */
const dueUnlessUnderWay = (at: Date) => sql<Date | null>`case when step is null then ${at}::timestamptz else due_at end`;

/** The user-editable fields of a profile. */
export interface ProfileChange {
  readonly name?: string;
  readonly apn?: string;
  readonly apn2?: string;
  readonly priority?: number;
  readonly iccid?: string;
  readonly sealed_code?: Buffer;
  readonly sealed_confirmation?: Buffer | null;
}

/** Change a profile on a user's request; the engine checks its router at `dueAt`. */
export async function updateProfile(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  change: ProfileChange,
  now: Date,
  dueAt: Date,
): Promise<void> {
  await tx
    .updateTable('esim_profiles')
    .set((row) => ({ ...change, version: row('version', '+', 1), updated_at: now, due_at: dueUnlessUnderWay(dueAt) }))
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Move a profile to another priority because another one took its own: its own version does not change. */
async function movePriority(
  tx: Tx,
  scope: OrganizationScope,
  id: string,
  priority: number,
  now: Date,
  dueAt: Date,
): Promise<void> {
  await tx
    .updateTable('esim_profiles')
    .set({ priority, updated_at: now, due_at: dueUnlessUnderWay(dueAt) })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Renumber profiles of a router because another one was inserted between them. */
export async function movePriorities(
  tx: Tx,
  scope: OrganizationScope,
  moves: ReadonlyMap<string, number>,
  now: Date,
  dueAt: Date,
): Promise<void> {
  for (const [id, priority] of moves) await movePriority(tx, scope, id, priority, now, dueAt);
}

/**
 * Request that the router of locked profiles uses one of them, or stays with the one in use. A profile on its router that is
 * 'Assigning...' was requested by a user; there is at most one.
 * @param id undefined = the earlier request is withdrawn
 */
export async function requestUse(
  tx: Tx,
  scope: OrganizationScope,
  routerId: string,
  id: string | undefined,
  now: Date,
  dueAt: Date,
  window?: rollouts.UpdateWindow,
): Promise<void> {
  const stored = window === undefined ? null : JSON.stringify(window);
  await sql`update esim_profiles p set use_window = case when p.id = ${id ?? null}::uuid then ${stored}::jsonb end,
      status = case when p.id = ${id ?? null}::uuid then 'Assigning...' else 'Activated' end,
      reason = '', updated_at = ${now}::timestamptz,
      due_at = case when p.step is null then ${dueAt}::timestamptz else p.due_at end
    where p.organization_id = ${scope.organizationId}::uuid and p.router_id = ${routerId}::uuid and p.path is not null
      and (p.id = ${id ?? null}::uuid or p.status = 'Assigning...' and p.step is null)`.execute(tx);
}

/** Set the state of a profile on a user's request. */
export async function setStatus(tx: Tx, scope: OrganizationScope, id: string, status: StoredStatus, now: Date): Promise<void> {
  await tx
    .updateTable('esim_profiles')
    .set({ status, reason: '', updated_at: now, due_at: dueUnlessUnderWay(now) })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

/** Delete a profile that no router has; one on an eUICC is deleted by the engine. */
export async function deleteProfileRow(tx: Tx, scope: OrganizationScope, id: string): Promise<void> {
  await tx.deleteFrom('esim_profiles').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

/**
 * Delete the profiles of devices that leave their organization for the stock: their routers keep the profiles on their eUICCs.
 */
export async function deleteProfiles(tx: Tx, scope: OrganizationScope, deviceIds: readonly string[]): Promise<void> {
  const { numAffectedRows = 0n } = await sql`delete from esim_profiles p where p.organization_id = ${scope.organizationId}::uuid
    and p.device_id = any (${[...deviceIds]}::uuid[])`.execute(tx);
  if (numAffectedRows > 0n) await announce(tx, scope, 'esims', []);
}

/** A profile that another router can download: it has an activation code and is not being deleted. */
const isMovable = sql`p.sealed_code is not null and not p.is_preloaded and p.status <> 'Deleting...'`;

/** Names of the profiles of a router by priority: those that another router can download, and those that stay on its eUICC. */
export async function profilesToMove(
  queries: Queries,
  scope: OrganizationScope,
  routerId: string,
): Promise<{ moving: string[]; staying: string[] }> {
  const { rows } = await sql<{ name: string; movable: boolean }>`
    select coalesce(nullif(p.name, ''), nullif(p.carrier, ''), p.iccid) as name, ${isMovable} as movable from esim_profiles p
    where p.organization_id = ${scope.organizationId}::uuid and p.router_id = ${routerId}::uuid order by p.priority, p.id`.execute(
    queries,
  );
  const named = (movable: boolean) => rows.filter((row) => row.movable === movable).map(({ name }) => name);
  return { moving: named(true), staying: named(false) };
}

/**
 * Have another router of the same device download the profiles of its former one, in their order; those that exist on the former
 * eUICC only are removed from the list. The caller has both routers locked.
 */
export async function moveProfiles(
  tx: Tx,
  scope: OrganizationScope,
  former: string,
  { routerId, serial }: Pick<FoundRouter, 'routerId' | 'serial'>,
  now: Date,
): Promise<void> {
  const mine = sql`p.organization_id = ${scope.organizationId}::uuid and p.router_id = ${former}::uuid`;
  await sql`delete from esim_profiles p where ${mine} and not (${isMovable})`.execute(tx);
  await sql`update esim_profiles p set router_id = ${routerId}::uuid, serial = ${serial},
      eid = coalesce((select d.eid from devices d where d.organization_id = p.organization_id and d.id = p.device_id), ''),
      status = 'Assigning...', reason = '', carrier = '', path = null, step = null, step_key = null, step_begun_at = null,
      step_sent_at = null, step_taken_at = null, sends = 0, looked_at = null, settings_sent = null,
      due_at = ${now}::timestamptz, version = p.version + 1, updated_at = ${now}::timestamptz
    where ${mine}`.execute(tx);
}
