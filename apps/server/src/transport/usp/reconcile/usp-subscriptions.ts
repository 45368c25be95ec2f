import type { devices } from '@highline/contract';
import { asObjectPath, type ObjectSettings } from '@highline/usp';
import type { Ingest } from '../../../domains/router-state/index.ts';
import { CONFIG_FILES, FIRMWARE_IMAGES, readFlag, SUBSCRIPTIONS } from '../../../kernel/tr181.ts';
import type { Responses } from '../responses.ts';
import { canReport } from './bulk-data.ts';
import { setting, wish } from './settings-of.ts';

/** Reports of our telemetry profile. */
export const PUSH = 'highline-push';

/** What stops working without a subscription to an event. */
const parts: ReadonlyMap<string, devices.SetUpPart> = new Map([
  ['highline-boot', 'boot'],
  [PUSH, 'push'],
  ['highline-heartbeat', 'heartbeat'],
]);

/** Prefix of the ids of our subscriptions; others at the same agent are left alone. */
const OURS = 'highline-';

interface DesiredUspSubscription {
  readonly id: string;
  readonly type: 'Event' | 'OperationComplete' | 'ValueChange';
  readonly references: readonly string[];
  /** Repeated until answered, and persistent: for events that must not get lost. */
  readonly isCertain: boolean;
  /** Agents work well without it: a rejection is not a fault. */
  readonly isOptional?: boolean;
}

/** A subscription to add. */
interface PlannedUspSubscription {
  readonly id: string;
  /** Part of the set-up; undefined = a rejection is not a fault. */
  readonly part: devices.SetUpPart | undefined;
  readonly object: ObjectSettings;
}

/** Changes that give an agent the desired subscriptions without duplicates. */
export interface UspSubscriptionPlan {
  readonly add: readonly PlannedUspSubscription[];
  /** Our subscriptions that the agent has. */
  readonly found: number;
  /** All of these survive the agent's next restart. */
  readonly isLasting: boolean;
  /** Instance paths. */
  readonly remove: readonly string[];
  readonly enable: readonly string[];
}

/**
 * Compare an agent's subscriptions (from an answer to the paths read at every connect) with the desired ones. Value changes are subscribed only where
 * the agent has the value.
 * @param controller path of our row in Device.LocalAgent.Controller., if it was found
 * @returns undefined when the agent did not report its subscriptions: then nothing can be compared
 */
export function planUspSubscriptions(
  ingest: Ingest,
  responses: Responses,
  controller: string | undefined,
): UspSubscriptionPlan | undefined {
  if (!responses.hasResponse(SUBSCRIPTIONS)) return undefined;
  const desired = new Map(desiredOf(ingest, responses).map((each) => [each.id, each]));
  const remove: string[] = [];
  const enable: string[] = [];
  let found = 0;
  let isLasting = true;
  for (const path of responses.instances(SUBSCRIPTIONS).map((instance) => `${SUBSCRIPTIONS}${instance}.`)) {
    const id = responses.get(`${path}ID`) ?? '';
    if (!id.startsWith(OURS) || !isFor(responses.get(`${path}Recipient`), controller)) continue;
    found++;
    isLasting &&= readFlag(responses.get(`${path}Persistent`)) !== false;
    const match = desired.get(id);
    // The reference of a subscription cannot be changed once it exists (TR-181): replace it.
    if (match === undefined || !isAs(responses, path, match)) remove.push(path);
    else {
      desired.delete(id);
      if (readFlag(responses.get(`${path}Enable`)) === false) enable.push(path);
    }
  }
  const add = Array.from(desired.values(), (each) => ({ id: each.id, part: partOf(each), object: newUspSubscription(each) }));
  return { add, found, isLasting, remove, enable };
}

function partOf({ id, type, isOptional }: DesiredUspSubscription): devices.SetUpPart | undefined {
  if (isOptional === true) return undefined;
  if (type === 'ValueChange') return 'changes';
  return parts.get(id) ?? 'operations';
}

const push: DesiredUspSubscription = {
  id: PUSH,
  type: 'Event',
  references: ['Device.BulkData.Profile.*.Push!'],
  isCertain: true,
};

function desiredOf({ watches, profileStates, reportsProfiles }: Ingest, responses: Responses): DesiredUspSubscription[] {
  const always: DesiredUspSubscription[] = [
    { id: 'highline-boot', type: 'Event', references: ['Device.Boot!'], isCertain: true },
    { id: 'highline-operations', type: 'OperationComplete', references: ['Device.'], isCertain: true },
    ...(canReport(responses) ? [push] : []),
    { id: 'highline-heartbeat', type: 'Event', references: ['Device.LocalAgent.Periodic!'], isCertain: false },
  ];
  // Transfers that completed, for agents that do not report the end of the command itself.
  if ([FIRMWARE_IMAGES, CONFIG_FILES].some((table) => responses.instances(table).length > 0))
    always.push({
      id: 'highline-transfers',
      type: 'Event',
      references: ['Device.LocalAgent.TransferComplete!'],
      isCertain: true,
      isOptional: true,
    });
  const changes = watches.map(({ id, parameters, isFleeting }): DesiredUspSubscription => {
    const references = parameters
      .filter(({ table, name }) => hasValue(responses, table, name))
      .map(({ table, name }) => (table === '' ? name : `${table}*.${name}`));
    return { id, type: 'ValueChange', references, isCertain: !isFleeting };
  });
  if (reportsProfiles(responses))
    changes.push({ id: 'highline-esim', type: 'ValueChange', references: [profileStates], isCertain: true });
  return [...always, ...changes.filter(({ references }) => references.length > 0)];
}

function hasValue(responses: Responses, table: string, name: string): boolean {
  if (table === '') return responses.get(name) !== undefined;
  return responses.instances(table).some((instance) => responses.get(`${table}${instance}.${name}`) !== undefined);
}

/** Without a recipient the subscription is ours. */
function isFor(recipient: string | undefined, controller: string | undefined): boolean {
  if (recipient === undefined || recipient === '' || controller === undefined) return true;
  return asObjectPath(recipient) === controller;
}

function isAs(responses: Responses, path: string, { type, references }: DesiredUspSubscription): boolean {
  const list = (responses.get(`${path}ReferenceList`) ?? '').split(',').map((reference) => reference.trim());
  return responses.get(`${path}NotifType`) === type && list.toSorted().join() === references.toSorted().join();
}

/**
 * Leaves out `Recipient`: the agent fills it in with our row (TR-181), and since it belongs to a unique key, an Add that sets it
 * fails as a whole, even with `required: false` (TR-369 "Add").
 */
function newUspSubscription({ id, type, references, isCertain }: DesiredUspSubscription): ObjectSettings {
  const paramSettings = [
    setting('ID', id),
    setting('NotifType', type),
    setting('ReferenceList', references.join(',')),
    setting('Enable', 'true'),
    wish('Persistent', 'true'),
    wish('NotifRetry', String(isCertain)),
  ];
  return { objPath: SUBSCRIPTIONS, paramSettings };
}
