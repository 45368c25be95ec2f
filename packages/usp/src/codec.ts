import protobuf from 'protobufjs';
import { countFields, type Nesting, nestingOf, TooManyFields } from './field-count.ts';
import type { UspBody, UspMessage, UspRequest } from './message.ts';
import type { UspRecord, UspRecordInit } from './record.ts';
import { RECORD_PROTO } from './record-schema.ts';
import { MESSAGE_PROTO } from './schema.ts';
import { type Plain, type ProtobufObject, shapeOf } from './shaping.ts';

/** WebSocket subprotocol of USP (TR-369 "WebSocket Binding", R-WS.8). */
export const USP_SUBPROTOCOL = 'v1.usp';

/** The version in our records and in GetSupportedProtocol. */
export const USP_VERSION = '1.3';

/**
 * Fields of a message, those of its parts included. An empty field takes 2 bytes and becomes objects and lists, so a message within
 * the limit of bytes could take seconds to decode. The largest that an agent has reason to send: a GetResp of 10,000 parameters,
 * with 3 fields each, or a GetSupportedDMResp of 7,000 with 5 each, besides those of their objects. Routers in the field have some
 * hundred to a few thousand parameters. Bulk data is one field.
 */
export const MOST_MESSAGE_FIELDS = 50_000;

/** Fields of a record, without those of the message in it: about ten, and one for each payload of a session context. */
export const MOST_RECORD_FIELDS = 1_000;

/** Bytes that are not a USP record or message. Contains no part of the input, which may hold secrets or be huge. */
export class UspDecodeError extends Error {
  override readonly name = 'UspDecodeError';
}

/** A record or message with more fields than are decoded. */
export class UspTooManyFieldsError extends UspDecodeError {}

const root = new protobuf.Root();
for (const text of [RECORD_PROTO, MESSAGE_PROTO]) protobuf.parse(text, root, { keepCase: true });
root.resolveAll();

type Format = { type: protobuf.Type; nesting: Nesting; mostFields: number };

function formatOf(name: string, mostFields: number): Format {
  const type = root.lookupType(name);
  return { type, nesting: nestingOf(type), mostFields };
}

const recordFormat = formatOf('usp_record.Record', MOST_RECORD_FIELDS);
const messageFormat = formatOf('usp.Msg', MOST_MESSAGE_FIELDS);
const headerType = root.lookupType('usp.Header');
/** Of the header in a message: field 1, length-delimited. */
const HEADER_TAG = 10;
const msgTypeNumbers = root.lookupEnum('usp.MsgType').values;
const recordShape = shapeOf(recordFormat.type);
const requestShape = shapeOf(root.lookupType('usp.Request'));
const responseShape = shapeOf(root.lookupType('usp.Response'));
const errorShape = shapeOf(root.lookupType('usp.Error'));

const NO_BYTES = new Uint8Array(0);

/**
 * Encode a record (TR-369 "Record Definition"). Absent fields get version '1.3', PLAINTEXT, no signature, no certificate.
 * @returns the bytes of one WebSocket frame
 */
export function encodeRecord(record: UspRecordInit): Uint8Array {
  const full: UspRecord = {
    version: USP_VERSION,
    payloadSecurity: 'PLAINTEXT',
    macSignature: NO_BYTES,
    senderCert: NO_BYTES,
    ...record,
  };
  return recordFormat.type.encode(recordShape.toMessage(full)).finish();
}

/**
 * Decode a record. Byte fields of the result are views of `bytes`, not copies; unknown fields are skipped.
 * @throws UspDecodeError, and nothing else, when the bytes are not a record, carry no known payload, or have more than
 * `MOST_RECORD_FIELDS` fields
 */
export function decodeRecord(bytes: Uint8Array): UspRecord {
  return guard('record', () => recordShape.toPlain(read(recordFormat, bytes)) as UspRecord);
}

/** Encode a message; the header's msg_type is derived from the body (TR-369 "Message Header"). */
export function encodeMessage(message: UspMessage): Uint8Array {
  const { body } = message;
  return messageFormat.type
    .encode({ header: { msg_id: message.msgId, msg_type: msgTypeOf(body.type) }, body: bodyToMessage(body) })
    .finish();
}

/**
 * Decode a message. Its type is taken from the body: an Error has msg_type 0, which is absent when encoded.
 * @throws UspDecodeError, and nothing else, when the bytes are not a message, header or body are missing, or there are more than
 * `MOST_MESSAGE_FIELDS` fields
 */
export function decodeMessage(bytes: Uint8Array): UspMessage {
  return guard('message', () => {
    const encoded = read(messageFormat, bytes);
    const header = presentObject(encoded['header'], 'header');
    return { msgId: String(header['msg_id']), body: bodyToPlain(presentObject(encoded['body'], 'body')) };
  });
}

/**
 * The fields of an encoded message, those of its parts included: how much work it is to decode, which its bytes do not tell.
 * @throws UspDecodeError, and nothing else, above `MOST_MESSAGE_FIELDS` and when the bytes are not fields
 */
export function countMessageFields(bytes: Uint8Array): number {
  return guard('message', () => count(messageFormat, bytes));
}

/**
 * The id in the header of a message of any length; nothing else of it is decoded. Empty = none.
 * @throws UspDecodeError, and nothing else, when the bytes are not fields up to the header
 */
export function readMessageId(bytes: Uint8Array): string {
  return guard('message', () => {
    const reader = protobuf.Reader.create(bytes);
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === HEADER_TAG) return String((headerType.decode(reader, reader.uint32()) as ProtobufObject)['msg_id']);
      reader.skipType(tag & 7);
    }
    return '';
  });
}

/** Whether this body is a request (a Notify is one too), so that a response is due. */
export function isRequest(body: UspBody): body is UspRequest {
  return body.type !== 'error' && !body.type.endsWith('_resp');
}

/** One frame with one message outside a session context, the form of all messages here. */
export function encodeMessageRecord(ids: Pick<UspRecordInit, 'toId' | 'fromId' | 'version'>, message: UspMessage): Uint8Array {
  return encodeRecord({ ...ids, payload: { type: 'no_session_context', payload: encodeMessage(message) } });
}

function msgTypeOf(bodyType: UspBody['type']): number {
  // The standard shortens exactly one name: GET_SUPPORTED_PROTO for get_supported_protocol.
  const name = bodyType.toUpperCase().replace('PROTOCOL', 'PROTO');
  return msgTypeNumbers[name] ?? 0;
}

function bodyToMessage(body: UspBody): ProtobufObject {
  if (body.type === 'error') return { error: errorShape.toMessage(body) };
  return isRequest(body) ? { request: requestShape.toMessage(body) } : { response: responseShape.toMessage(body) };
}

function bodyToPlain(body: ProtobufObject): UspBody {
  switch (body['kind']) {
    case 'request':
      return requestShape.toPlain(body['request'] as ProtobufObject) as UspBody;
    case 'response':
      return responseShape.toPlain(body['response'] as ProtobufObject) as UspBody;
    case 'error':
      return { type: 'error', ...errorShape.toPlain(body['error'] as ProtobufObject) } as Plain as UspBody;
    default:
      throw new Error('the body contains no request, response or error');
  }
}

function presentObject(value: unknown, name: string): ProtobufObject {
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is missing`);
  return value as ProtobufObject;
}

function count({ nesting, mostFields }: Format, bytes: Uint8Array): number {
  return countFields(bytes, nesting, mostFields);
}

function read(format: Format, bytes: Uint8Array): ProtobufObject {
  // First of all: the decoder has no limit of its own.
  count(format, bytes);
  const reader = protobuf.Reader.create(bytes);
  reader.discardUnknown = true;
  return format.type.decode(reader);
}

function guard<T>(what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const DecodeError = error instanceof TooManyFields ? UspTooManyFieldsError : UspDecodeError;
    throw new DecodeError(`undecodable USP ${what}: ${error instanceof Error ? error.message : 'unknown fault'}`);
  }
}
