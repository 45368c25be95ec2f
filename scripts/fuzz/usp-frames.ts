import { decodeMessage, decodeRecord, encodeMessage, encodeRecord, type UspMessage } from '@highline/usp';
import { anyMessage, anyRecord } from '@highline/usp/testing';
import * as fc from 'fast-check';
import { hostileJson } from './hostile.ts';
import { anyLocation, anyTrail } from './positions.ts';
import { responses, responseBody, result } from './usp-responses.ts';
import { paths, shortText, values, valueMap, objects, events, commands, LOCATION, TRAIL } from './usp-values.ts';

/** One WebSocket message of a router. */
export interface Frame {
  readonly bytes: Uint8Array;
  /** Sent as text instead of binary. */
  readonly isText: boolean;
  /** Number of fragments. */
  readonly pieces: number;
  /** Whether the server should end the connection after it. */
  readonly isFatal: boolean;
}

const CONTROLLER = 'self::highline';

/** A count of bytes: at the ends of 32 and 64 bits, backwards from one report to the next, and no count. */
const counters = fc.oneof(fc.constantFrom(0, 1_000, 900, 2 ** 32 - 1, 2 ** 32, 2 ** 53, '18446744073709551615', -1, 1.5), values);

const reportRow = fc.oneof(
  fc.record({ CollectionTime: fc.integer(), [TRAIL]: anyTrail, [LOCATION]: anyLocation }, { requiredKeys: ['CollectionTime'] }),
  fc.record({
    'Device.Cellular.Interface.1.Stats.BytesSent': counters,
    'Device.Cellular.Interface.1.Stats.BytesReceived': counters,
    'Device.Cellular.Interface.1.USIM.ICCID': values,
    'Device.DeviceInfo.UpTime': counters,
  }),
  fc.dictionary(fc.oneof(paths, shortText), fc.oneof(values, hostileJson), { maxKeys: 6 }),
  fc.record({
    CollectionTime: fc.oneof(fc.integer(), values),
    'Device.Cellular.Interface.1.RSSI': fc.oneof(values, fc.integer()),
  }),
  hostileJson,
);
const pushed = fc.oneof(
  fc.array(reportRow, { maxLength: 5 }).map((rows) => JSON.stringify({ Report: rows })),
  hostileJson.map((value) => JSON.stringify(value)),
  shortText,
);

const notification = fc.oneof(
  fc.record({
    type: fc.constant('event' as const),
    objPath: objects,
    eventName: events,
    params: fc.oneof(
      valueMap,
      pushed.map((data) => new Map([['Data', data]])),
    ),
  }),
  fc.record({ type: fc.constant('value_change' as const), paramPath: fc.oneof(paths, shortText), paramValue: values }),
  fc.record({ type: fc.constant('value_change' as const), paramPath: fc.constant(LOCATION), paramValue: anyLocation }),
  fc.record({ type: fc.constant('obj_creation' as const), objPath: objects, uniqueKeys: valueMap }),
  fc.record({ type: fc.constant('obj_deletion' as const), objPath: objects }),
  fc.record({
    type: fc.constant('oper_complete' as const),
    objPath: objects,
    commandName: commands,
    commandKey: fc.oneof(fc.uuid(), shortText),
    result,
  }),
);

const notify: fc.Arbitrary<UspMessage> = fc.record({
  msgId: fc.oneof(fc.uuid(), shortText),
  body: fc.record({
    type: fc.constant('notify' as const),
    subscriptionId: fc.oneof(fc.constantFrom('highline-value', 'highline-boot'), shortText),
    sendResp: fc.boolean(),
    notification,
  }),
});

/** Answers of a hostile router to a request of the server. */
export function anyResponse(kind: string): fc.Arbitrary<UspMessage['body']> {
  const known = responses.get(kind);
  if (known !== undefined) return known;
  const made = fc.oneof(
    { weight: 5, arbitrary: responseBody(kind) },
    { weight: 1, arbitrary: anyMessage.map(({ body }) => body) },
  );
  responses.set(kind, made);
  return made;
}

type Made = Pick<Frame, 'bytes' | 'isText' | 'pieces'>;
const whole = (bytes: Uint8Array): Made => ({ bytes, isText: false, pieces: 1 });

/** Frames of a router with this endpoint id. */
export function framesOf(endpointId: string): fc.Arbitrary<Frame> {
  const ids = { toId: CONTROLLER, fromId: endpointId };
  const wrap = (payload: Uint8Array) => encodeRecord({ ...ids, payload: { type: 'no_session_context', payload } });
  const right = notify.map((message) => wrap(encodeMessage(message)));
  const any = anyMessage.map((message) => wrap(encodeMessage(message)));
  const broken = fc
    .tuple(right, fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 6 }))
    .map(([bytes, flips]) => flip(bytes, flips));
  const cut = fc.tuple(right, fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % (bytes.length + 1)));
  const random = fc.uint8Array({ maxLength: 300 });
  const innerRandom = random.map(wrap);
  const records = anyRecord.map((record) => encodeRecord(record));
  const ownRecords = anyRecord.map((record) => encodeRecord({ ...record, ...ids }));
  const made: fc.Arbitrary<Made> = fc.oneof(
    { weight: 450, arbitrary: right.map(whole) },
    { weight: 150, arbitrary: any.map(whole) },
    { weight: 9, arbitrary: broken.map(whole) },
    { weight: 1, arbitrary: cut.map(whole) },
    { weight: 6, arbitrary: records.map(whole) },
    { weight: 1, arbitrary: ownRecords.map(whole) },
    { weight: 1, arbitrary: random.map(whole) },
    { weight: 1, arbitrary: innerRandom.map(whole) },
    {
      weight: 30,
      arbitrary: fc.tuple(right, fc.integer({ min: 2, max: 40 })).map(([bytes, pieces]) => ({ bytes, isText: false, pieces })),
    },
    { weight: 1, arbitrary: shortText.map((text) => ({ bytes: Buffer.from(text.toWellFormed()), isText: true, pieces: 1 })) },
  );
  return made.map((frame) => ({ ...frame, isFatal: endsConnection(frame) }));
}

/** A message of this router in one frame. */
export function recordOf(endpointId: string, message: UspMessage): Uint8Array {
  return encodeRecord({
    toId: CONTROLLER,
    fromId: endpointId,
    payload: { type: 'no_session_context', payload: encodeMessage(message) },
  });
}

/** The record that introduces a router (TR-369 "WebSocket Binding"). */
export function introduction(endpointId: string): Uint8Array {
  return encodeRecord({ toId: CONTROLLER, fromId: endpointId, payload: { type: 'websocket_connect' } });
}

/** Data that is not a record or message ends a connection, and so do a close and a session context. */
function endsConnection({ bytes, isText }: Made): boolean {
  if (isText) return true;
  try {
    const { payload } = decodeRecord(bytes);
    if (payload.type === 'no_session_context') decodeMessage(payload.payload);
    return payload.type === 'disconnect' || payload.type === 'session_context';
  } catch {
    return true;
  }
}

function flip(bytes: Uint8Array, flips: readonly (readonly [number, number])[]): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (const [at, bit] of flips) copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ (1 << bit);
  return copy;
}
