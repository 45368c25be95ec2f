import { sql } from 'kysely';
import { manyOf } from '../../../platform/listing/index.ts';
import type { Queries, Tx } from '../../../platform/ports/database.ts';
import type { EsimReport } from '../../../platform/ports/device-link.ts';
import type { Row, EsimWork } from './facts.ts';

// The engine works for every organization: each row has its organization, and nothing is returned to a user.

interface RouterRow {
  readonly id: string;
  readonly organization_id: string;
  readonly main_account_id: string;
  readonly device_id: string;
  readonly serial: string;
  readonly is_online: boolean;
  readonly is_held_elsewhere: boolean;
  readonly reported: EsimReport | null;
  readonly supported: boolean | null;
}

const routerColumns = (
  nodeId: string,
) => sql`r.id, r.organization_id, r.main_account_id, r.device_id, r.serial, r.presence = 'online' as is_online,
  coalesce(r.held_by <> ${nodeId}::uuid, false) as is_held_elsewhere,
  nullif(r.reported -> 'esim', 'null'::jsonb) as reported, (r.reported ->> 'esim_support')::boolean as supported`;

/** Read routers that a device claims, without a lock. */
export async function peekEsims(queries: Queries, nodeId: string, routerIds: readonly string[]): Promise<EsimWork[]> {
  const { rows } = await sql<RouterRow>`select ${routerColumns(nodeId)} from routers r
    where r.id in ${manyOf(routerIds, 'uuid')} and r.device_id is not null`.execute(queries);
  return withRows(queries, rows);
}

/** Lock those routers and read the same; rows locked by other transactions are skipped, never waited for. */
export async function lockEsims(tx: Tx, nodeId: string, routerIds: readonly string[]): Promise<EsimWork[]> {
  if (routerIds.length === 0) return [];
  const { rows } = await sql<RouterRow>`select ${routerColumns(nodeId)} from routers r
    where r.id = any (${[...routerIds]}::uuid[]) and r.device_id is not null
    order by r.id for no key update of r skip locked`.execute(tx);
  return withRows(tx, rows);
}

interface ProfileRecord extends Row {
  readonly routerId: string;
}

async function withRows(queries: Queries, routers: readonly RouterRow[]): Promise<EsimWork[]> {
  if (routers.length === 0) return [];
  const ids = routers.map(({ id }) => id);
  const { rows } = await sql<ProfileRecord>`select p.router_id as "routerId", p.id, p.eid, p.is_preloaded as "isPreloaded",
      encode(p.sealed_code, 'hex') as "sealedCode", encode(p.sealed_confirmation, 'hex') as "sealedConfirmation", p.iccid, p.apn,
      p.apn2, p.name, p.carrier, p.status, p.reason, p.priority, p.path, p.step, p.step_key as "stepKey", p.step_begun_at as "begunAt", p.step_sent_at as "sentAt", p.step_taken_at as "takenAt",
      p.sends, p.due_at as "dueAt", p.settings_sent as "settingsSent", p.use_window as "useWindow", p.use_author as "useAuthor"
    from esim_profiles p where p.router_id in ${manyOf(ids, 'uuid')} order by p.router_id, p.priority`.execute(queries);
  const byRouter = Map.groupBy(rows, ({ routerId }) => routerId);
  return routers.map((router) => ({
    routerId: router.id,
    organizationId: router.organization_id,
    mainAccountId: router.main_account_id,
    deviceId: router.device_id,
    serial: router.serial,
    isOnline: router.is_online,
    isHeldElsewhere: router.is_held_elsewhere,
    reported: router.reported,
    supported: router.supported ?? undefined,
    rows: (byRouter.get(router.id) ?? []).map(({ routerId: _, ...row }) => row),
  }));
}

/** Rows of one router to store. */
export interface Writing {
  readonly work: EsimWork;
  readonly changed: readonly Row[];
  readonly born: readonly Row[];
  readonly gone: readonly string[];
  /** Ids of changed rows whose change users see. */
  readonly seen: ReadonlySet<string>;
  /** The profiles of the router according to the end of a step. */
  readonly reported: EsimReport | undefined;
}

/** Store the profiles of locked routers, with four statements in all. */
export async function writeEsims(tx: Tx, writings: readonly Writing[], now: Date): Promise<void> {
  await deleteGone(tx, writings);
  await updateChanged(tx, writings, now);
  await insertBorn(tx, writings, now);
  const reported = writings.flatMap((writing) =>
    writing.reported === undefined ? [] : [{ id: writing.work.routerId, esim: writing.reported }],
  );
  if (reported.length > 0)
    await sql`update routers r set reported = r.reported || jsonb_build_object('esim', n.esim)
      from jsonb_to_recordset(${JSON.stringify(reported)}::jsonb) as n (id uuid, esim jsonb) where r.id = n.id`.execute(tx);
}

async function deleteGone(tx: Tx, writings: readonly Writing[]): Promise<void> {
  const gone = writings.flatMap((writing) => writing.gone);
  if (gone.length > 0) await sql`delete from esim_profiles where id = any (${gone}::uuid[])`.execute(tx);
}

async function updateChanged(tx: Tx, writings: readonly Writing[], now: Date): Promise<void> {
  const rows = writings.flatMap(({ changed, seen }) => changed.map((row) => ({ ...row, isSeen: seen.has(row.id) })));
  if (rows.length === 0) return;
  await sql`update esim_profiles p set eid = n.eid, iccid = n.iccid, carrier = n.carrier, status = n.status, reason = n.reason,
      path = n.path, step = n.step, step_key = n."stepKey", step_begun_at = n."begunAt", step_sent_at = n."sentAt",
      step_taken_at = n."takenAt", sends = n.sends, due_at = n."dueAt", settings_sent = n."settingsSent",
      use_author = case when n.status = 'Assigning...' and n.step is null then p.use_author end,
      updated_at = case when n."isSeen" then ${now}::timestamptz else p.updated_at end, looked_at = ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id uuid, eid text, iccid text, carrier text, status text,
      reason text, path text, step text, "stepKey" text, "begunAt" timestamptz, "sentAt" timestamptz, "takenAt" timestamptz,
      sends smallint, "dueAt" timestamptz, "settingsSent" text, "isSeen" boolean)
    where p.id = n.id`.execute(tx);
}

async function insertBorn(tx: Tx, writings: readonly Writing[], now: Date): Promise<void> {
  const rows = writings.flatMap(({ work, born }) =>
    born.map((row) => ({
      ...row,
      organizationId: work.organizationId,
      mainAccountId: work.mainAccountId,
      deviceId: work.deviceId,
      routerId: work.routerId,
      serial: work.serial,
    })),
  );
  if (rows.length === 0) return;
  // A device that is being deleted concurrently gets no more profiles.
  await sql`insert into esim_profiles (organization_id, id, main_account_id, device_id, router_id, serial, eid, iccid, apn, apn2,
      name, carrier, status, priority, path, created_at, updated_at, looked_at)
    select n."organizationId", n.id, n."mainAccountId", n."deviceId", n."routerId", n.serial, n.eid, n.iccid, n.apn, n.apn2,
      n.name, n.carrier, n.status, n.priority, n.path, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ("organizationId" uuid, id uuid, "mainAccountId" uuid,
      "deviceId" uuid, "routerId" uuid, serial text, eid text, iccid text, apn text, apn2 text, name text, carrier text, status text,
      priority smallint, path text)
    join devices d on d.organization_id = n."organizationId" and d.id = n."deviceId" and d.archived_at is null`.execute(tx);
}
