import type { sentCommands } from '@highline/contract';
import { INFO } from '../../kernel/tr181.ts';
import { unreachableAs, type DeviceLink, type OperationOutcome, type RouterOperation } from '../../platform/ports/index.ts';

/** The router's unchanged answer to a command. */
export type RouterReply =
  | { readonly outcome: 'done' | 'begun' }
  | { readonly outcome: 'rejected' | 'unsupported'; readonly code: number | null; readonly message: string };

/** Kinds that other domains carry out: what is set for a device is several operations, a file needs an address. */
export type ComposedKind = 'apply-settings' | 'backup-config' | typeof sentCommands.RESTORE_CONFIG;

/** Kinds that are one operation. */
export type OrderedKind = Exclude<sentCommands.SentKind, ComposedKind>;

/** Whether another domain carries it out. */
export function isComposed(kind: sentCommands.SentKind): kind is ComposedKind {
  return kind === 'apply-settings' || kind === 'backup-config' || kind === 'restore-config';
}

/** The operation of each kind (docs/domains/older-model.md). @param password of the kind that sets one */
export function operationOf(kind: OrderedKind, argument: string, password = ''): RouterOperation {
  switch (kind) {
    case 'reboot':
      return { type: 'reboot' };
    case 'restart-modem':
    case 'factory-reset':
      return { type: kind };
    case 'identify':
      return { type: 'identify', seconds: Number(argument) };
    case 'report':
      return { type: 'send-readings' };
    case 'set-password':
      return { type: 'set-password', username: argument, password };
    case 'roaming':
      return { type: 'set-values', object: 'Device.Cellular.', values: new Map([['RoamingEnabled', argument]]) };
    case 'name':
      return { type: 'set-values', object: INFO, values: new Map([['FriendlyName', argument]]) };
    case 'zone':
      return { type: 'set-values', object: 'Device.Time.', values: new Map([['LocalTimeZone', argument]]) };
  }
}

/**
 * Send a command to a connected router, once.
 * @throws DomainError `command.offline` when nothing was sent, `command.no_answer` when the router may have run it anyway
 */
export async function orderRouter(
  deviceLink: DeviceLink,
  routerId: string,
  { kind, argument }: { readonly kind: OrderedKind; readonly argument: string },
): Promise<RouterReply> {
  try {
    return replyOf(await deviceLink.operate(routerId, operationOf(kind, argument)));
  } catch (error) {
    throw unreachableAs('command', error);
  }
}

function replyOf(outcome: OperationOutcome): RouterReply {
  if (outcome.type !== 'failed') return { outcome: outcome.type === 'done' ? 'done' : 'begun' };
  const { cause, code, message } = outcome;
  return { outcome: cause === 'unsupported' ? 'unsupported' : 'rejected', code, message };
}
