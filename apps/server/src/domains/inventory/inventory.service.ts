import type { FailureKey, inventory } from '@highline/contract';
import { normalizeMac } from '@highline/usp';
import { DomainError, required, isId, type Actor, type MainScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { isUniqueViolation, type Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { type AuditAction, recordAudit, sentence } from '../logs/index.ts';
import { hasCertificate } from './certificates/certificates.store.ts';
import { assertMayEnter, countCollisions, type CollisionDeps } from './collisions.ts';
import { endpointIdOf } from './endpoint-id.ts';
import {
  changeAuthentication,
  changeEndpointId,
  dropPreviousSecret,
  lockRouters,
  replaceSecret,
  type Collision,
} from './inventory.store.ts';
import { names, registerRouters, type RegisteredRouter } from './register-routers.ts';
import { hashRouterSecret, mintSecret } from './router-secret.ts';

/** For the operations on a main account's inventory (DECISIONS, Inventory and claiming). */
export interface InventoryServiceDeps extends Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink'> {
  /** Whether certificates of routers are seen: TLS is served here, and perhaps the operator's own authorities are trusted. */
  readonly clientTls: ClientTls;
  /** Called after each committed change of a main account's inventory: cached counts are stale. */
  readonly changed: (mainAccountId: string) => void;
}

/** This server's settings for client certificates. */
export interface ClientTls {
  /** It serves TLS itself. */
  readonly isServed: boolean;
  /** It also trusts authorities of its operator (TLS_CLIENT_CA_FILE). */
  readonly trustsOthers: boolean;
}

export interface NewRouterInput {
  readonly serial_number: string;
  /** In any notation. */
  readonly mac: string;
  readonly model?: string | undefined;
  /** Of any scheme; empty or left out = `os::<OUI>-<serial>`. */
  readonly endpointId?: string | undefined;
}

/**
 * Add one router; only the response contains its secret.
 * @throws DomainError `request.invalid` (MAC), `inventory.endpoint_invalid`, `inventory.serial_taken`, `inventory.mac_taken`,
 * `inventory.endpoint_taken`, `inventory.taken_elsewhere`
 */
export async function addRouter(
  { database, clock, log, changed }: InventoryServiceDeps,
  scope: MainScope,
  actor: Actor,
  input: NewRouterInput,
): Promise<RegisteredRouter> {
  const mac = required(normalizeMac(input.mac), 'request.invalid', { message: 'mac: must be 12 hex digits', field: 'mac' });
  const endpointId = endpointIdOf(input.endpointId);
  const router = {
    serial: input.serial_number,
    mac,
    ...(input.model === undefined ? {} : { model: input.model }),
    ...(endpointId === undefined ? {} : { endpointId }),
  };
  const registered = await withCollisionLimit({ database, clock, log }, scope, () =>
    database.write(async (tx) => {
      const { registered, taken } = await registerRouters(tx, scope, actor, [router], clock.now());
      if (taken[0] !== undefined) throw takenFailure(taken[0].by);
      return registered[0]!;
    }),
  );
  changed(scope.mainAccountId);
  return registered;
}

/**
 * Give a router another endpoint id. Its secret stays; a connection under the old id is closed, and the router reconnects
 * under the new one.
 * @param endpointId of any scheme; empty = `os::<OUI>-<serial>`
 * @throws DomainError `not_found`, `inventory.endpoint_invalid`, `inventory.endpoint_taken`, `inventory.taken_elsewhere`
 */
export async function setEndpointId(
  { database, clock, log, deviceLink, changed }: InventoryServiceDeps,
  scope: MainScope,
  actor: Actor,
  id: string,
  endpointId: string,
): Promise<void> {
  const given = endpointIdOf(endpointId);
  const change = () => database.write((tx) => writeEndpointId(tx, scope, actor, id, given, clock.now()));
  // Another router got this id concurrently: the second try sees it.
  const hasChanged = await withCollisionLimit({ database, clock, log }, scope, () =>
    change().catch((error: unknown) => (isUniqueViolation(error) ? change() : Promise.reject(error))),
  );
  if (!hasChanged) return;
  deviceLink.disconnect([id], 'The endpoint ID of this router was changed.');
  changed(scope.mainAccountId);
}

/**
 * Set how a router proves its identity. Its connection is closed, and it reconnects with the new method.
 * @throws DomainError `not_found`; if a certificate becomes required: `inventory.no_client_tls`, `inventory.no_certificate`
 */
export async function setAuthentication(
  { database, clock, deviceLink, clientTls }: InventoryServiceDeps,
  scope: MainScope,
  actor: Actor,
  id: string,
  to: inventory.Authentication,
): Promise<void> {
  const hasChanged = await database.write(async (tx) => {
    const now = clock.now();
    const { serial, authentication: from } = await lockRouter(tx, scope, id);
    if (from === to) return false;
    if (to === 'certificate' || to === 'both') await mayNeedCertificate(tx, scope, id, clientTls, now);
    await changeAuthentication(tx, scope, id, to);
    await record(tx, scope, actor, id, sentence('router.identity_changed', serial), { serial, from, to }, now);
    return true;
  });
  if (hasChanged) deviceLink.disconnect([id], 'The way this router proves its identity was changed.');
}

/**
 * Mint a new secret; the one that the router uses remains valid until 24 h after the first use of the new one.
 * @returns the secret, shown once
 * @throws DomainError `not_found`
 */
export async function rotateSecret(
  { database, clock }: InventoryServiceDeps,
  scope: MainScope,
  actor: Actor,
  id: string,
): Promise<string> {
  const secret = mintSecret();
  await database.write(async (tx) => {
    const now = clock.now();
    const { serial } = await lockRouter(tx, scope, id);
    await replaceSecret(tx, scope, id, hashRouterSecret(secret));
    await record(tx, scope, actor, id, sentence('router.secret_minted', serial), { serial }, now);
  });
  return secret;
}

/**
 * End the overlap of a rotation now, because the former secret is known to others. The router's connection is closed, and it reconnects
 * if it has the new secret.
 * @throws DomainError `not_found`
 */
export async function endPreviousSecret(
  { database, clock, deviceLink }: InventoryServiceDeps,
  scope: MainScope,
  actor: Actor,
  id: string,
): Promise<void> {
  const hasEnded = await database.write(async (tx) => {
    const now = clock.now();
    const { serial } = await lockRouter(tx, scope, id);
    if (!(await dropPreviousSecret(tx, scope, id, now))) return false;
    await record(tx, scope, actor, id, sentence('router.previous_secret_ended', serial), { serial }, now);
    return true;
  });
  if (hasEnded) deviceLink.disconnect([id], 'The former secret of this router was ended.');
}

/** @throws DomainError `not_found`, also for a router of another main account */
async function lockRouter(tx: Tx, scope: MainScope, id: string) {
  return required(isId(id) ? (await lockRouters(tx, scope, [id]))[0] : undefined, 'not_found');
}

async function record(tx: Tx, scope: MainScope, actor: Actor, id: string, action: AuditAction, detail: object, now: Date) {
  await announce(tx, scope, 'inventory', [id]);
  await recordAudit(tx, scope.mainAccountId, actor, { action, subject: { kind: 'router', id }, detail: { ...detail } }, now);
}

/** Reject a change that would lock the router out for good. */
async function mayNeedCertificate(tx: Tx, scope: MainScope, id: string, clientTls: ClientTls, now: Date): Promise<void> {
  if (!clientTls.isServed) throw new DomainError('inventory.no_client_tls', { field: 'authentication' });
  if (clientTls.trustsOthers || (await hasCertificate(tx, scope, id, now))) return;
  throw new DomainError('inventory.no_certificate', { field: 'authentication' });
}

/** @returns whether the id differs from the one before */
async function writeEndpointId(tx: Tx, scope: MainScope, actor: Actor, id: string, given: string | undefined, now: Date) {
  const { serial, mac, endpoint_id: from } = await lockRouter(tx, scope, id);
  const to = given ?? names({ serial, mac }).endpointId;
  if (to === from) return false;
  const collision = await changeEndpointId(tx, scope, id, to);
  if (collision !== undefined) throw takenFailure(collision);
  await record(tx, scope, actor, id, sentence('router.endpoint_changed', serial), { serial, from, to }, now);
  return true;
}

/** Count routers that are registered elsewhere, and reject too many of them before they are looked up. */
async function withCollisionLimit<T>(deps: CollisionDeps, scope: MainScope, enter: () => Promise<T>): Promise<T> {
  await assertMayEnter(deps, scope);
  try {
    return await enter();
  } catch (error) {
    if (error instanceof DomainError && error.key === 'inventory.taken_elsewhere') await countCollisions(deps, scope, 1);
    throw error;
  }
}

const takenKeys: Readonly<Record<Collision, readonly [FailureKey, field?: string]>> = {
  serial: ['inventory.serial_taken', 'serial_number'],
  mac: ['inventory.mac_taken', 'mac'],
  endpoint: ['inventory.endpoint_taken', 'endpointId'],
  elsewhere: ['inventory.taken_elsewhere'],
};

function takenFailure(by: Collision): DomainError {
  const [key, field] = takenKeys[by];
  return new DomainError(key, field === undefined ? {} : { field });
}
