import { createHash } from 'node:crypto';
import { routerEndpointId } from '@highline/usp';
import { newId, type MainScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { findCollisions, insertRouters, type Collision, type NewRouter, type RouterNames } from './inventory.store.ts';
import { hashRouterSecret, mintSecret } from './router-secret.ts';

/** The actor of the log entry, a user or the system. */
export type InventoryActor = Parameters<typeof recordAudit>[2];

/** A router to add, its serial and MAC already checked and normalized. */
export interface RouterToRegister {
  readonly serial: string;
  /** 12 uppercase hex digits. */
  readonly mac: string;
  readonly model?: string;
  /** Already checked (`endpointIdOf`); `os::<OUI>-<serial>` when left out. */
  readonly endpointId?: string;
  /** Given by the demo and the command line; minted otherwise. */
  readonly secret?: string;
}

export interface RegisteredRouter {
  readonly id: string;
  readonly serial: string;
  readonly mac: string;
  readonly endpointId: string;
  /** Shown once and not stored. */
  readonly secret: string;
}

export interface Registration {
  readonly registered: readonly RegisteredRouter[];
  /** Routers that were left out because their serial, MAC or endpoint id is already in an inventory. */
  readonly taken: readonly { readonly router: RouterToRegister; readonly by: Collision }[];
}

/**
 * Add routers to a main account's inventory, with one audit entry for all of them, inside the caller's transaction.
 * @throws RangeError for a serial that does not fit into an endpoint id (over 43 characters)
 */
export async function registerRouters(
  tx: Tx,
  scope: MainScope,
  actor: InventoryActor,
  routers: readonly RouterToRegister[],
  now: Date,
): Promise<Registration> {
  const entries = routers.map((router) => ({
    ...names(router),
    router,
    secret: router.secret ?? mintSecret(),
    id: newId(now.getTime()),
  }));
  const inserted = await insertRouters(tx, scope, entries.map(newRouter), now);
  const registered = entries.filter(({ id }) => inserted.has(id)).map(registeredRouter);
  const left = entries.filter(({ id }) => !inserted.has(id));
  const collisions = await findCollisions(tx, scope, left);
  if (registered.length > 0) await record(tx, scope, actor, registered, now);
  // Two rows of one call may name the same router: then the first is the one that the second collides with.
  return { registered, taken: left.map((entry) => ({ router: entry.router, by: collisions.get(entry) ?? 'serial' })) };
}

/** The names of a router to add, with its endpoint id as given or by default. @throws RangeError as `registerRouters` */
export function names({ serial, mac, endpointId }: RouterToRegister): RouterNames {
  return { serial, mac, endpointId: endpointId ?? routerEndpointId(mac.slice(0, 6), serial) };
}

interface Entry extends RouterNames {
  readonly id: string;
  readonly router: RouterToRegister;
  readonly secret: string;
}

function newRouter({ id, serial, mac, endpointId, router: { model = '' }, secret }: Entry): NewRouter {
  return { id, serial, mac, model, endpointId, secretHash: hashRouterSecret(secret) };
}

function registeredRouter({ id, serial, mac, endpointId, secret }: Entry): RegisteredRouter {
  return { id, serial, mac, endpointId, secret };
}

async function record(
  tx: Tx,
  scope: MainScope,
  actor: InventoryActor,
  registered: readonly RegisteredRouter[],
  now: Date,
): Promise<void> {
  await announce(
    tx,
    scope,
    'inventory',
    registered.map(({ id }) => id),
  );
  const [only] = registered;
  const one = registered.length === 1 && only !== undefined;
  await recordAudit(
    tx,
    scope.mainAccountId,
    actor,
    {
      action: one ? sentence('router.added', only.serial) : sentence('routers.added', registered.length),
      subject: { kind: 'router', id: one ? only.id : 'many' },
      detail: one ? { serial: only.serial, mac: only.mac } : { count: registered.length, digest: digestOf(registered) },
    },
    now,
  );
}

/** SHA-256 over the added rows, so that the entry of a bulk import can be compared with its file. */
function digestOf(registered: readonly RegisteredRouter[]): string {
  const hash = createHash('sha256');
  for (const { serial, mac } of registered) hash.update(`${serial},${mac}\n`);
  return hash.digest('hex');
}
