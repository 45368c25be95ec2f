import { sendCommand } from '../domains/commands/index.ts';
import type { OrganizationScope } from '../kernel/index.ts';
import type { Clock, Database, Log } from '../platform/ports/index.ts';
import { readAdmin } from './acts.ts';
import { demoOrganizations } from './fleet-data.ts';

/** It is away with its carrier for some minutes every two hours. */
const VEHICLE = 'Rail 08';
const WAIT_HOURS = 24;
const EVERY_MS = 20_000;
/** One restart for each outage. */
const PAUSE_MS = 3_600_000;

interface DispatcherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * What a dispatcher would do: while the vehicle is away, leave a restart waiting for it, as the first admin (LIV-09). Nothing where it was
 * deleted or moved.
 */
export function startDispatcher(deps: DispatcherDeps): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    running = leaveRestart(deps).catch((error: unknown) => deps.log.debug({ err: error }, 'The dispatcher of the demo failed.'));
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function leaveRestart(deps: DispatcherDeps): Promise<void> {
  const { database, clock } = deps;
  const device = await database.read
    .selectFrom('devices')
    .select(['id', 'organization_id', 'main_account_id'])
    .where('vehicle_number', '=', VEHICLE)
    .where('presence', '=', 'offline')
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  if (device === undefined) return;
  const last = await database.read
    .selectFrom('sent_commands')
    .select('created_at')
    .where('device_id', '=', device.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined && clock.now().getTime() - last.created_at.getTime() < PAUSE_MS) return;
  const { organization_id: organizationId, main_account_id: mainAccountId } = device;
  const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
  const actor = await readAdmin(database, scope, demoOrganizations[0]!.contact.email);
  await sendCommand(deps, scope, actor, { device: device.id, kind: 'reboot', wait: WAIT_HOURS });
}
