import type { alertPeople } from '@highline/contract';
import type { z } from 'zod';
import { checkZone, DomainError, type Actor, type OrganizationScope, type Sealing } from '../../kernel/index.ts';
import { withoutLimit } from '../../platform/calls/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import { sentence } from '../logs/index.ts';
import {
  addBrowser,
  deliverEvents,
  listBrowsers,
  listOwnBrowsers,
  removeAccountBrowsers,
  removeBrowser,
  type BrowserInput,
  type ServerPushKey,
} from '../webhooks/index.ts';
import { type PeopleDeps, put, recordPerson } from './alert-people.service.ts';
import { findPerson, type StoredPerson } from './alert-people.store.ts';

export interface BrowserPeopleDeps extends PeopleDeps {
  readonly caller: WebCaller;
  readonly webhookSealing: Sealing;
  /** The key with which browsers register for push messages. */
  readonly pushKey: Pick<ServerPushKey, 'publicKey'>;
}

/** The key with which a browser registers, and the browsers that the person has here. */
export async function readPushKey(
  { database, pushKey }: Pick<BrowserPeopleDeps, 'database' | 'pushKey'>,
  scope: OrganizationScope,
  actor: Actor,
): Promise<z.output<typeof alertPeople.pushKey.response>['result']> {
  return { publicKey: pushKey.publicKey, ...(await listOwnBrowsers(database.read, scope, actor)) };
}

/**
 * Send the alerts of a person to a browser (SAY-05). A person without severities gets critical alerts.
 * @throws DomainError `key.not_allowed`, `webhook.url_invalid`, `request.invalid`
 */
export async function registerBrowser(
  deps: BrowserPeopleDeps,
  scope: OrganizationScope,
  actor: Actor,
  { zone, ...browser }: BrowserInput & { readonly zone: string },
): Promise<void> {
  rejectKey(actor);
  checkZone(zone, 'zone');
  const now = deps.clock.now();
  const { email: mail } = actor;
  await deps.database.write(async (tx) => {
    await addBrowser(deps, tx, scope, actor, browser, now);
    const before = await findPerson(tx, scope, mail);
    const { severities = [], hours = null, channels = [] } = before ?? {};
    const next: StoredPerson = {
      mail,
      severities: severities.length === 0 ? ['critical'] : severities,
      hours,
      channels: [...new Set([...channels, 'push' as const])],
      language: browser.language,
      zone,
    };
    await put(tx, deps, scope, actor, next, now);
  });
}

/** @returns how many there were: none or one @throws DomainError `key.not_allowed` */
export async function unregisterBrowser(
  { database, clock }: Pick<PeopleDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
  endpoint: string,
): Promise<number> {
  rejectKey(actor);
  return database.write(async (tx) => {
    const removed = await removeBrowser(tx, scope, actor, endpoint);
    if (removed > 0)
      await recordPerson(
        tx,
        scope,
        actor,
        actor.email,
        sentence('alert_browser.removed', actor.email),
        { mail: actor.email },
        clock.now(),
      );
    return removed;
  });
}

/** Sessions of a person end: the browser, or every browser, shows the person's alerts no more (AUTH-05). */
export async function endBrowsers(tx: Tx, { accountId }: Pick<Actor, 'accountId'>, endpoint: string | undefined): Promise<void> {
  await withoutLimit(tx, async () => {
    for (const scope of await removeAccountBrowsers(tx, accountId, endpoint)) await announce(tx, scope, 'alerts', []);
  });
}

/** Send a test to the browsers of a person. @returns how many there are @throws DomainError `key.not_allowed` */
export async function testBrowsers(
  { database, clock }: Pick<PeopleDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
): Promise<number> {
  rejectKey(actor);
  const now = clock.now();
  return database.write(async (tx) => {
    const own = await listBrowsers(tx, scope, [actor.email]);
    const test = { type: 'webhook.test' as const, data: { message: 'Test' }, happenedAt: now };
    await deliverEvents(tx, scope, [test], own, 'named');
    await recordPerson(
      tx,
      scope,
      actor,
      actor.email,
      sentence('alert_browser.tested', actor.email),
      { browsers: own.length },
      now,
    );
    return own.length;
  });
}

/** A program has no browser. @throws DomainError `key.not_allowed` */
function rejectKey({ key }: Actor): void {
  if (key !== undefined) throw new DomainError('key.not_allowed');
}
