import { sql } from 'kysely';
import { saveDevice } from '../domains/devices/index.ts';
import { recordAudit, sentence } from '../domains/logs/index.ts';
import { bindFile } from '../domains/rollouts/index.ts';
import { recordRouterEvents, type RouterEvent } from '../domains/router-state/index.ts';
import type { Actor, MainScope, OrganizationScope } from '../kernel/index.ts';
import type { Clock, Database, Log, Tx } from '../platform/ports/index.ts';
import type { DemoOrganization } from './fleet-data.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

interface ActDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** A clock that is so many days behind. */
export const clockBefore = ({ now }: Clock, days: number): Clock => ({ now: () => new Date(now().getTime() - days * DAY_MS) });

/** The demo has no one to tell. */
const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The first person of an organization. */
export async function readAdmin(database: Database, scope: MainScope | OrganizationScope, email: string): Promise<Actor> {
  const { id, name } = await database.read
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('main_account_id', '=', scope.mainAccountId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const organizationId = scope.kind === 'organization' ? scope.organizationId : null;
  return {
    accountId: id,
    email,
    name,
    role: 'admin',
    mainAccountId: scope.mainAccountId,
    organizationId,
    address: '127.0.0.1',
    sessionId: '',
  };
}

/** A group whose vehicles got a firmware twelve days ago; the download of one of them failed first. */
const ROLLOUT = { group: 'North depot', version: '2.8.1', daysAgo: 12.4, failed: 'Bus 2117' } as const;

/** What the admin changed by hand. */
const notes = [
  { daysAgo: 16.2, vehicle: 'Bus 2104', note: 'Roof antenna replaced 10/02, signal is good again', tags: ['spare antenna'] },
  { daysAgo: 4.3, vehicle: 'Bus 2166', note: 'Driver reports restarts on Kennedy Expressway', tags: ['workshop'] },
] as const;

/**
 * What people did in the last month: a finished rollout with one failure and its retry, and changes by hand, through the services that the calls
 * use, at the times at which they happened.
 */
export async function seedActs(deps: ActDeps, scope: OrganizationScope, { contact, vehicles }: DemoOrganization): Promise<void> {
  const actor = await readAdmin(deps.database, scope, contact.email);
  const serialOf = (name: string) => vehicles.find(({ vehicle }) => vehicle === name)?.serial ?? '';
  const change = async ({ daysAgo, vehicle, note, tags }: (typeof notes)[number]) => {
    const device = await deps.database.read
      .selectFrom('devices')
      .select('id')
      .where('organization_id', '=', scope.organizationId)
      .where('serial', '=', serialOf(vehicle))
      .executeTakeFirstOrThrow();
    const clock = clockBefore(deps.clock, daysAgo);
    await saveDevice({ ...deps, clock }, scope, actor, device.id, { note, tags: [...tags] }, () => true);
  };
  await change(notes[0]);
  await seedRollout(deps, scope, actor, serialOf(ROLLOUT.failed));
  await change(notes[1]);
}

async function seedRollout({ database, clock }: ActDeps, scope: OrganizationScope, actor: Actor, failed: string): Promise<void> {
  const begun = clockBefore(clock, ROLLOUT.daysAgo);
  const [group, firmware] = [
    await database.read
      .selectFrom('groups')
      .select('key')
      .where('organization_id', '=', scope.organizationId)
      .where('name', '=', ROLLOUT.group)
      .executeTakeFirstOrThrow(),
    await database.read
      .selectFrom('firmware')
      .select('id')
      .where('main_account_id', '=', scope.mainAccountId)
      .where('version', '=', ROLLOUT.version)
      .executeTakeFirstOrThrow(),
  ];
  const choice = { kind: 'firmware' as const, group: group.key, file: firmware.id, schedule: 'immediate' as const };
  await bindFile({ database, clock: begun, log: silent }, scope, actor, choice);
  await database.write((tx) => finishRollout(tx, scope, actor, begun.now(), failed));
}

/** All routers are done; the download of one failed, and was retried an hour later. */
async function finishRollout(tx: Tx, scope: OrganizationScope, actor: Actor, begun: Date, failed: string): Promise<void> {
  const { rows } = await sql<{ rollout: string; router: string; serial: string }>`update rollout_targets t
    set state = 'successful', percent = 100, due_at = null, attempt = case when d.serial = ${failed} then 2 else 1 end, updated_at = ${begun}::timestamptz
    from bindings b, devices d
    where b.id = t.binding_id and b.ended_at is null and b.organization_id = ${scope.organizationId}::uuid and b.kind = 'firmware'
      and d.organization_id = t.organization_id and d.id = t.device_id
    returning b.id as rollout, t.router_id as router, d.serial`.execute(tx);
  const after = (minutes: number) => new Date(begun.getTime() + minutes * MINUTE_MS);
  for (const [index, { rollout, router, serial }] of rows.entries()) {
    const event: Omit<RouterEvent, 'state'> = {
      routerId: router,
      kind: 'rollout',
      subject: 'firmware',
      label: ROLLOUT.version,
      rolloutId: rollout,
    };
    const isFailed = serial === failed;
    if (isFailed) await recordRouterEvents(tx, [{ ...event, state: 'failed', reason: 'download-failed' }], after(4));
    await recordRouterEvents(tx, [{ ...event, state: 'successful' }], after(isFailed ? 71 : 6 + index));
  }
  const rollout = rows[0]?.rollout;
  if (rollout === undefined) return;
  const retried = { action: sentence('rollout.retried', ROLLOUT.version), subject: { kind: 'rollout', id: rollout } };
  await recordAudit(tx, scope.organizationId, actor, { ...retried, detail: { label: ROLLOUT.version, routers: 1 } }, after(64));
}
