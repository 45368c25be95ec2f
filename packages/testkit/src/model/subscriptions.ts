import { Code, UspFault } from '../errors.ts';
import type { DataModel } from './data-model.ts';
import { isTable, splitLeaf, supportedPathOf } from './resolve.ts';

export const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';

/**
 * Fill in what the agent sets on a new subscription: its recipient is the requesting controller (TR-181: read-only), and its
 * references must exist in the supported data model.
 * @param rejected types of notification without subscriptions
 * @throws UspFault 7005, 7012
 */
export function completeSubscription(model: DataModel, path: string, recipient: string, rejected: readonly string[]): void {
  model.write(`${path}Recipient`, recipient);
  model.write(`${path}CreationDate`, new Date().toISOString());
  const alias = model.value(`${path}Alias`) ?? '';
  if (model.value(`${path}ID`) === '') model.write(`${path}ID`, alias);
  const type = model.value(`${path}NotifType`) ?? '';
  if (type === '') throw new UspFault(Code.invalidValue, 'NotifType is missing');
  if (rejected.includes(type)) throw new UspFault(Code.resourcesExceeded, `NotifType: ${type} is not sent`);
  for (const reference of referencesOf(model, path))
    if (!isSupported(model, type, reference))
      throw new UspFault(Code.invalidValue, `ReferenceList: ${reference} is not supported`);
}

/** The comma-separated references of a subscription. */
export function referencesOf(model: DataModel, path: string): string[] {
  return (model.value(`${path}ReferenceList`) ?? '').split(',').map((reference) => reference.trim());
}

function isSupported(model: DataModel, type: string, reference: string): boolean {
  const [objectPath, name] = splitLeaf(reference);
  if (objectPath === '') return false;
  const supported = supportedPathOf(objectPath);
  const definition = model.supported.get(supported);
  if (name === '') return definition !== undefined || isTable(model, supported);
  if (type === 'Event') return definition?.events[name] !== undefined;
  if (type === 'OperationComplete') return definition?.commands[name]?.type === 'async';
  return type === 'ValueChange' && definition?.parameters[name] !== undefined;
}
