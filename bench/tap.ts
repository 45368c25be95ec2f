import { decodeMessage, decodeRecord, type UspMessage } from '@highline/usp';
import { WebSocket } from 'ws';
import type { Acknowledged } from './sender.report.ts';

/** Reports by the id of their message, until it is acknowledged. */
const sent = new Map<string, { readonly endpointId: string; readonly seconds: readonly number[] }>();
const acknowledged = new Map<string, number[]>();

/** Read along at the sockets of all routers in this process: which reports they send, and which of them the server acknowledges. */
export function noteAcknowledged(): void {
  const { send, emit } = WebSocket.prototype;
  WebSocket.prototype.send = function sendNoted(this: WebSocket, ...args: Parameters<typeof send>) {
    if (args[0] instanceof Uint8Array) noteSent(args[0]);
    return send.apply(this, args);
  } as typeof send;
  WebSocket.prototype.emit = function emitNoted(this: WebSocket, ...args: Parameters<typeof emit>) {
    if (args[0] === 'message') noteReceived(args[1] as Uint8Array);
    return emit.apply(this, args);
  };
}

/** The reports that were acknowledged. */
export function acknowledgedReports(): Acknowledged[] {
  return Array.from(acknowledged, ([endpointId, seconds]) => ({ endpointId, seconds }));
}

function noteSent(data: Uint8Array): void {
  const { fromId, payload } = decodeRecord(data);
  const message = messageOf(payload);
  if (message?.body.type !== 'notify' || !message.body.sendResp) return;
  const { notification } = message.body;
  if (notification.type !== 'event' || notification.eventName !== 'Push!') return;
  const { Report: reports } = JSON.parse(notification.params.get('Data')!) as { Report: { CollectionTime: number }[] };
  sent.set(message.msgId, { endpointId: fromId, seconds: reports.map(({ CollectionTime: second }) => second) });
}

function noteReceived(data: Uint8Array): void {
  const message = messageOf(decodeRecord(data).payload);
  if (message?.body.type !== 'notify_resp') return;
  const report = sent.get(message.msgId);
  if (report === undefined || !sent.delete(message.msgId)) return;
  const known = acknowledged.get(report.endpointId) ?? [];
  acknowledged.set(report.endpointId, [...known, ...report.seconds]);
}

function messageOf(payload: ReturnType<typeof decodeRecord>['payload']): UspMessage | undefined {
  return payload.type === 'no_session_context' ? decodeMessage(payload.payload) : undefined;
}
