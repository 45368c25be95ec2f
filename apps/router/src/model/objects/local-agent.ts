import { isSearchPath } from '@highline/usp';
import type { ObjectDef } from '../definition.ts';
import { UNKNOWN_TIME, alias, atMost, between, fixed, flag, formatTime, oneOf, setting, text, toggle, whole } from '../params.ts';

/** Paths of settings for other parts of the agent. */
export const CONTROLLER = 'Device.LocalAgent.Controller.1.';
export const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';
export const REQUESTS = 'Device.LocalAgent.Request.';
export const BOOT_PARAMETERS = `${CONTROLLER}BootParameter.`;

/** Supported subscription types (TR-181 Device.LocalAgent.Subscription.{i}.NotifType). */
export const notifTypes = ['ValueChange', 'ObjectCreation', 'ObjectDeletion', 'OperationComplete', 'Event'] as const;
export type NotifType = (typeof notifTypes)[number];

const WEEK_SECONDS = 7 * 24 * 3600;

/** Arguments of TransferComplete! (TR-181 Device.LocalAgent.TransferComplete!). */
const transferArguments = [
  'Command',
  'CommandKey',
  'Requestor',
  'TransferType',
  'Affected',
  'TransferURL',
  'StartTime',
  'CompleteTime',
  'FaultCode',
  'FaultString',
] as const;

const localAgent: ObjectDef = {
  path: 'Device.LocalAgent.',
  params: {
    EndpointID: text((router) => router.endpointId),
    SoftwareVersion: text((router) => router.installed().firmware),
    UpTime: whole((router) => router.uptimeSeconds(), 'fluctuating'),
    SupportedProtocols: fixed('WebSocket'),
  },
  events: { 'Periodic!': [], 'TransferComplete!': [...transferArguments] },
};

/** The single controller of this router. */
const controller: ObjectDef = {
  path: 'Device.LocalAgent.Controller.{i}.',
  table: { instances: () => [1], uniqueKeys: [['EndpointID'], ['Alias']] },
  params: {
    Alias: fixed('cloud'),
    Enable: flag(() => true),
    EndpointID: text((router) => router.controllerId),
    // Seconds between two Periodic! events; a day by default, as in TR-181.
    PeriodicNotifInterval: setting('PARAM_UNSIGNED_INT', '86400', between(1, WEEK_SECONDS)),
    PeriodicNotifTime: setting('PARAM_DATE_TIME', UNKNOWN_TIME),
    // TR-369 "Notification Retry": seconds, and thousandths by which the delay grows.
    USPNotifRetryMinimumWaitInterval: setting('PARAM_UNSIGNED_INT', '5', between(1, 65_535)),
    USPNotifRetryIntervalMultiplier: setting('PARAM_UNSIGNED_INT', '2000', between(1_000, 65_535)),
  },
};

/** Values in the ParameterMap of Boot!. */
const bootParameter: ObjectDef = {
  path: 'Device.LocalAgent.Controller.{i}.BootParameter.{i}.',
  table: { grows: { max: 32 }, uniqueKeys: [['Alias'], ['ParameterName']] },
  params: { Alias: alias, Enable: toggle(false), ParameterName: setting('PARAM_STRING', '', atMost(256)) },
};

const subscription: ObjectDef = {
  path: 'Device.LocalAgent.Subscription.{i}.',
  table: { grows: { max: 100 }, uniqueKeys: [['Alias'], ['Recipient', 'ID']] },
  params: {
    Alias: alias,
    Enable: toggle(false),
    // Set by the agent to the row of the controller that added it; no controller may set it.
    Recipient: fixed(CONTROLLER.slice(0, -1)),
    ID: { type: 'PARAM_STRING', initial: (_router, ids) => `subscription-${ids.at(-1) ?? 0}`, check: atMost(64) },
    CreationDate: {
      type: 'PARAM_DATE_TIME',
      initial: UNKNOWN_TIME,
      readOnly: true,
      atCreation: ({ platform }) => formatTime(platform.clock.now()),
    },
    NotifType: setting('PARAM_STRING', 'Event', oneOf(...notifTypes)),
    ReferenceList: setting('PARAM_STRING', '', checkReferences),
    // A subscription that is not persistent ends with the next start.
    Persistent: toggle(false),
    NotifRetry: toggle(false),
    // Seconds after which an unanswered notification is dropped; 0 = never.
    NotifExpiration: setting('PARAM_UNSIGNED_INT', '0'),
  },
};

/** Running commands; each ends with an OperationComplete notification. */
const request: ObjectDef = {
  path: 'Device.LocalAgent.Request.{i}.',
  table: { uniqueKeys: [['Alias']] },
  params: {
    Alias: alias,
    Originator: { type: 'PARAM_STRING', initial: '', readOnly: true },
    Command: { type: 'PARAM_STRING', initial: '', readOnly: true },
    CommandKey: { type: 'PARAM_STRING', initial: '', readOnly: true },
    Status: { type: 'PARAM_STRING', initial: 'Requested', readOnly: true },
  },
};

export const localAgentObjects: readonly ObjectDef[] = [localAgent, controller, bootParameter, subscription, request];

/** Split a comma-separated list of references, without blanks. */
export function splitReferences(list: string): string[] {
  return list
    .split(',')
    .map((reference) => reference.trim())
    .filter((reference) => reference !== '');
}

function checkReferences(list: string): string | undefined {
  for (const reference of splitReferences(list)) {
    if (!reference.startsWith('Device.')) return `${reference} does not begin with 'Device.'`;
    if (isSearchPath(reference) && reference.includes('[')) return 'search expressions are not supported in references';
  }
  return list.length > 4096 ? 'longer than 4096 characters' : undefined;
}
