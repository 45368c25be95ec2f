import type { rollouts } from '@highline/contract';
import { sql } from 'kysely';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { manyOf } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Queries, Tx, Row } from '../../platform/ports/index.ts';
import { BATCH } from './profile-routers.store.ts';
import type { StoredStatus } from './lineup.ts';
import { profileColumns, type ProfileRow } from './profile.dto.ts';
import type { UseAuthor } from './use-author.ts';
import type { AcceptedProfile } from './validate-profile.ts';

/** A profile with the additional fields that its changes need. */
export type LockedProfile = ProfileRow & Row<'esim_profiles', 'router_id' | 'sealed_confirmation'>;

const lockedColumns = sql`${profileColumns}, p.router_id, p.sealed_confirmation`;

/** The profiles of routers of the organization; the caller has the routers locked, so that they do not change meanwhile. */
export async function profilesOfRouters(
  queries: Queries,
  scope: OrganizationScope,
  routerIds: readonly string[],
): Promise<LockedProfile[]> {
  const found: LockedProfile[] = [];
  for (let start = 0; start < routerIds.length; start += BATCH) {
    const { rows } = await sql<LockedProfile>`select ${lockedColumns} from esim_profiles p
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
export const dueUnlessUnderWay = (at: Date) => sql<Date | null>`case when step is null then ${at}::timestamptz else due_at end`;

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

/** A profile that its router is to use. */
interface UseRequest {
  readonly id: string;
  /** Null = what requests it has checked who may do so. */
  readonly author: UseAuthor | null;
  readonly window?: rollouts.UpdateWindow | undefined;
}

/**
 * Request that the router of locked profiles uses one of them, or stays with the one in use. A profile on its router that is
 * 'Assigning...' was requested by a user; there is at most one.
 * @param use undefined = the earlier request is withdrawn
 */
export async function requestUse(
  tx: Tx,
  scope: OrganizationScope,
  routerId: string,
  use: UseRequest | undefined,
  now: Date,
  dueAt: Date,
): Promise<void> {
  const { id, window, author } = use ?? {};
  const stored = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);
  await sql`update esim_profiles p set use_window = case when p.id = ${id ?? null}::uuid then ${stored(window)}::jsonb end,
      use_author = case when p.id = ${id ?? null}::uuid then ${stored(author)}::jsonb end,
      status = case when p.id = ${id ?? null}::uuid then 'Assigning...' else 'Activated' end,
      reason = '', updated_at = ${now}::timestamptz,
      due_at = case when p.step is null then ${dueAt}::timestamptz else p.due_at end
    where p.organization_id = ${scope.organizationId}::uuid and p.router_id = ${routerId}::uuid and p.path is not null
      and (p.id = ${id ?? null}::uuid or p.status = 'Assigning...' and p.step is null)`.execute(tx);
}

/**
 * Withdraw the switches that were requested of routers of devices and have not begun: of devices that leave their organization. The
 * caller has the routers locked.
 * @returns the profiles that are not switched to
 */
export async function withdrawUses(
  tx: Tx,
  scope: OrganizationScope,
  deviceIds: readonly string[],
  now: Date,
): Promise<LockedProfile[]> {
  const { rows } =
    await sql<LockedProfile>`update esim_profiles p set use_window = null, use_author = null, status = 'Activated', reason = '',
      updated_at = ${now}::timestamptz
    where p.organization_id = ${scope.organizationId}::uuid and p.device_id = any (${[...deviceIds]}::uuid[])
      and p.path is not null and p.status = 'Assigning...' and p.step is null
    returning ${lockedColumns}`.execute(tx);
  return rows;
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
