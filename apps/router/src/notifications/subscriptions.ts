import { pathCovers, pathKind } from '@highline/usp';
import type { RouterView } from '../model/definition.ts';
import type { Model } from '../model/model.ts';
import { type NotifType, SUBSCRIPTIONS, splitReferences } from '../model/objects/local-agent.ts';
import { findParams, valueOf } from '../model/read.ts';
import type { Row } from '../state/state.ts';

/** An enabled subscription, read from its row (TR-181 Device.LocalAgent.Subscription.{i}). */
export type Subscription = {
  id: string;
  notifType: NotifType;
  references: readonly string[];
  /** Whether to repeat until the controller answers. */
  retry: boolean;
  /** Milliseconds after which a repeated notification is dropped; undefined = never. */
  expiresAfterMs: number | undefined;
  /** The source row: the same object as long as it is unchanged. */
  row: Row;
};

/** All enabled subscriptions. */
export function readSubscriptions(model: Model, router: RouterView): Subscription[] {
  return router
    .rowPaths()
    .filter((path) => path.startsWith(SUBSCRIPTIONS))
    .flatMap((path) => readSubscription(model, router, path));
}

/** The subscriptions that match a full path of an event, parameter, command or object. */
export function subscribersOf(subscriptions: readonly Subscription[], notifType: NotifType, path: string): Subscription[] {
  return subscriptions.filter(
    (subscription) =>
      subscription.notifType === notifType && subscription.references.some((reference) => refersTo(reference, path)),
  );
}

/** `Subscription.` as a reference to a table covers its instances, like any partial path. */
function refersTo(reference: string, path: string): boolean {
  return pathCovers(reference, path) || (pathKind(path) === 'object' && pathCovers(`${reference}.`, path));
}

/** Read one parameter that must exist, e.g. a setting of the agent itself. */
export function readSetting(model: Model, router: RouterView, path: string): string {
  const [found] = findParams(model, router, path);
  if (!found) throw new Error(`the model has no ${path}`);
  return valueOf(router, found);
}

function readSubscription(model: Model, router: RouterView, path: string): Subscription[] {
  const read = (name: string) => readSetting(model, router, path + name);
  if (read('Enable') !== 'true') return [];
  const expires = Number(read('NotifExpiration'));
  return [
    {
      id: read('ID'),
      notifType: read('NotifType') as NotifType,
      references: splitReferences(read('ReferenceList')),
      retry: read('NotifRetry') === 'true',
      expiresAfterMs: expires > 0 ? expires * 1000 : undefined,
      row: router.row(path) ?? {},
    },
  ];
}
