import type { commands } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import {
  isUnreachable,
  isUnsupported,
  type CommandResponse,
  type CommandFailure,
  type DeviceLink,
} from '../../platform/ports/device-link.ts';

/** The router's unchanged answer to a command. */
export type RouterReply =
  | { readonly outcome: 'done' | 'begun' }
  | { readonly outcome: 'rejected' | 'unsupported'; readonly code: number; readonly message: string };

type Order =
  | 'send-readings'
  | { readonly operate: string; readonly args?: Readonly<Record<string, string>> }
  | { readonly set: string; readonly values: Readonly<Record<string, string>> };

/** The TR-181 form of each kind, with one vendor extension (docs/domains/older-model.md). */
function orderOf(kind: commands.CommandKind, argument: string): Order {
  switch (kind) {
    case 'reboot':
      return { operate: 'Device.Reboot()' };
    case 'identify':
      return { operate: 'Device.X_HIGHLINE_Identify()', args: { Seconds: argument } };
    case 'report':
      return 'send-readings';
    case 'roaming':
      return { set: 'Device.Cellular.', values: { RoamingEnabled: argument } };
    case 'name':
      return { set: 'Device.DeviceInfo.', values: { FriendlyName: argument } };
    case 'zone':
      return { set: 'Device.Time.', values: { LocalTimeZone: argument } };
  }
}

/**
 * Send a command to a connected router, once.
 * @throws DomainError `command.offline` when nothing was sent, `command.no_answer` when the router may have run it anyway
 */
export async function orderRouter(
  deviceLink: DeviceLink,
  routerId: string,
  { kind, argument }: { readonly kind: commands.CommandKind; readonly argument: string },
): Promise<RouterReply> {
  try {
    return await send(deviceLink, routerId, orderOf(kind, argument));
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    throw new DomainError(error.key === 'router.not_connected' ? 'command.offline' : 'command.no_answer');
  }
}

async function send(deviceLink: DeviceLink, routerId: string, order: Order): Promise<RouterReply> {
  if (order === 'send-readings') return replyOf(await deviceLink.sendReadings(routerId));
  if ('set' in order) {
    const failure = await deviceLink.set(routerId, order.set, new Map(Object.entries(order.values)));
    return failure === undefined ? { outcome: 'done' } : rejectionOf(failure);
  }
  const command = { command: order.operate, commandKey: '', inputArgs: new Map(Object.entries(order.args ?? {})) };
  return replyOf(await deviceLink.operate(routerId, command));
}

function replyOf(response: CommandResponse): RouterReply {
  if (response.type === 'failed') return rejectionOf(response);
  return { outcome: response.type === 'done' ? 'done' : 'begun' };
}

function rejectionOf({ code, message }: CommandFailure): RouterReply {
  return { outcome: isUnsupported({ code }) ? 'unsupported' : 'rejected', code, message };
}
