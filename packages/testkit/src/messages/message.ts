import {
  decodeIndependentMessage,
  decodeIndependentRecord,
  encodeIndependentMessage,
  encodeIndependentRecord,
  INDEPENDENT_MSG_TYPES,
  type IndependentValue,
} from '../codec.ts';

/**
 * A message extracted from its record. `name` is the member of the body, such as `get` or `notifyResp`; `error` for an Error.
 */
export interface Message {
  readonly kind: 'request' | 'response' | 'error';
  readonly msgId: string;
  readonly name: string;
  readonly value: IndependentValue;
}

/** A member of a oneof. */
interface Member {
  readonly case: string;
  readonly value: IndependentValue;
}

export interface Envelope {
  readonly version: string;
  readonly fromId: string;
  readonly toId: string;
}

/** A record with its member; `message` where it carries one. */
export interface ReceivedRecord extends Envelope {
  readonly type: string;
  readonly message?: Message;
}

/** @throws Error when the bytes are not a record, or carry no message */
export function readRecord(bytes: Uint8Array): ReceivedRecord {
  const record = decodeIndependentRecord(bytes);
  const { version, fromId, toId } = record as unknown as Envelope;
  const { case: type, value } = record['one'] as Member;
  if (type !== 'noSessionContext') return { version, fromId, toId, type };
  return { version, fromId, toId, type, message: readMessage(value['payload'] as Uint8Array) };
}

function readMessage(payload: Uint8Array): Message {
  const message = decodeIndependentMessage(payload);
  const { msgId } = message['header'] as { msgId: string };
  const body = (message['body'] as IndependentValue)['one'] as Member;
  if (body.case === 'error') return { kind: 'error', msgId, name: 'error', value: body.value };
  const { case: name, value } = body.value['one'] as Member;
  return { kind: body.case === 'request' ? 'request' : 'response', msgId, name, value };
}

/** A record without a message, such as `websocketConnect`. */
export function writeRecord(envelope: Envelope, type: string, value: IndependentValue): Uint8Array {
  return encodeIndependentRecord({ ...envelope, one: { case: type, value } });
}

/** A record with a message in it. */
export function writeMessage(envelope: Envelope, { kind, msgId, name, value }: Message): Uint8Array {
  const inner = kind === 'error' ? value : { one: { case: name, value } };
  const message = { header: { msgId, msgType: typeNumberOf(name) }, body: { one: { case: kind, value: inner } } };
  return writeRecord(envelope, 'noSessionContext', { payload: encodeIndependentMessage(message) });
}

/** `getSupportedDmResp` → GET_SUPPORTED_DM_RESP; the standard shortens the name for supported protocols. */
function typeNumberOf(name: string): number {
  const spelled = name.replaceAll(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase();
  const number = INDEPENDENT_MSG_TYPES.indexOf(spelled.replace('PROTOCOL', 'PROTO'));
  if (number === -1) throw new Error(`no message type ${spelled}`);
  return number;
}
