import { createHash } from 'node:crypto';
import { announce } from '../../live/announce.ts';
import type { Tx } from '../../ports/database.ts';
import type { Actor, OrganizationScope } from '../../scope.ts';
import { recordAudit } from '../logs/index.ts';

/** The most serial numbers an entry spells out; its digest covers all of them. */
const MAX_SPELLED = 100;

interface Named {
  readonly id: string;
  readonly serial: string;
}

/**
 * Tell that devices came or went: to the consoles of the organization and its main account, and to the organization's log. One
 * entry for all of them, with a digest of their serial numbers. Last in its transaction: it holds the log's head.
 */
export async function tellMembership(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  verb: 'Added' | 'Deleted' | 'Imported',
  devices: readonly Named[],
  now: Date,
): Promise<void> {
  const { mainAccountId, organizationId } = scope;
  await announce(
    tx,
    scope,
    'devices',
    devices.map(({ id }) => id),
  );
  await announce(tx, scope, 'groups', []);
  await announce(tx, scope, 'organizations', [organizationId]);
  await announce(tx, { kind: 'main', mainAccountId }, 'inventory', []);
  const [only] = devices;
  const one = devices.length === 1 && only !== undefined;
  const serials = devices.map(({ serial }) => serial);
  const event = {
    action: one ? `${verb} device ${only.serial}` : `${verb} ${devices.length} devices`,
    subject: { kind: 'device', id: one ? only.id : 'many' },
    detail: { count: devices.length, serials: serials.slice(0, MAX_SPELLED), digest: digestOf(serials) },
  };
  await recordAudit(tx, organizationId, actor, event, now);
}

/** SHA-256 over the serial numbers in their order, one a line. */
function digestOf(serials: readonly string[]): string {
  const hash = createHash('sha256');
  for (const serial of serials) hash.update(`${serial}\n`);
  return hash.digest('hex');
}
