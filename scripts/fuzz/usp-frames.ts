import { decodeMessage, decodeRecord, encodeMessage, encodeRecord, type UspMessage } from '@highline/usp';
import * as fc from 'fast-check';
import { anyMessage, anyRecord } from '@highline/usp/testing';
import { hostileJson, hostileText } from './hostile.ts';
import { anyLocation, anyTrail } from './positions.ts';

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
const LOCATION = 'Device.DeviceInfo.Location.1.DataObject';
const TRAIL = 'Device.X_HIGHLINE_GPS.Trail';

/** Paths that the server reads, subscribes to or acts on. */
const paths = fc.constantFrom(
  'Device.DeviceInfo.ModelName',
  'Device.DeviceInfo.SoftwareVersion',
  'Device.DeviceInfo.UpTime',
  'Device.DeviceInfo.ActiveFirmwareImage',
  'Device.DeviceInfo.FirmwareImage.1.Status',
  'Device.DeviceInfo.FirmwareImage.1.X_HIGHLINE_Signature',
  'Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage',
  'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value',
  'Device.Time.CurrentLocalTime',
  'Device.Cellular.Interface.1.Status',
  'Device.Cellular.Interface.1.RSSI',
  'Device.Cellular.Interface.1.NetworkInUse',
  'Device.Cellular.Interface.1.Stats.BytesSent',
  'Device.Cellular.Interface.1.Stats.BytesReceived',
  LOCATION,
  TRAIL,
  'Device.TrustedElements.SIM.1.ICCID',
  'Device.TrustedElements.SIM.1.IMSI',
  'Device.LocalAgent.EndpointID',
  'Device.LocalAgent.Subscription.1.Recipient',
  'Device.LocalAgent.Controller.1.EndpointID',
  'Device.BulkData.Profile.1.Name',
  'Device.',
  '',
  'Device.__proto__.x',
  'Device.A.99999999999999999999.B',
);
/** Short, since a run counts frames. */
const shortText = hostileText.map((text) => text.slice(0, 200));
const objects = fc.oneof(
  fc.constantFrom(
    'Device.',
    'Device.BulkData.Profile.1.',
    'Device.LocalAgent.',
    'Device.DeviceInfo.FirmwareImage.1.',
    'Device.Boot',
    '.',
  ),
  shortText,
);
const events = fc.constantFrom('Push!', 'Push!', 'Boot!', 'Periodic!', 'TransferComplete!', 'Wake!', 'X!', '');
const commands = fc.constantFrom(
  'Download()',
  'Activate()',
  'Reboot()',
  'FactoryReset()',
  'X_HIGHLINE_OpenTunnel()',
  'X_HIGHLINE_DownloadProfile()',
  '()',
  '',
);

const plainValues = fc.constantFrom(
  '-71',
  '13400',
  '1e400',
  'Up',
  'true',
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  'Device.DeviceInfo.FirmwareImage.1.',
);
/** One character repeated and then another: the worst case of backtracking patterns. */
function longText(most: number): fc.Arbitrary<string> {
  const repeated = fc.constantFrom('.', ' ', 'a', '0', '(', '/', ',', '-', '\\', '1.');
  return fc
    .tuple(repeated, fc.integer({ min: most / 2, max: most }))
    .map(([text, length]) => `${text.repeat(length / text.length)}x`);
}

/** Mostly short; sometimes of the maximum length. */
const values = fc.oneof(
  { weight: 200, arbitrary: shortText },
  { weight: 100, arbitrary: plainValues },
  { weight: 10, arbitrary: hostileText },
  { weight: 1, arbitrary: longText(20_000) },
);
const valueMap = fc.array(fc.tuple(fc.oneof(paths, shortText), values), { maxLength: 12 }).map((entries) => new Map(entries));

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

const code = fc.integer({ min: 0, max: 0xff_ff_ff_ff });
const failure = fc.record({ errCode: code, errMsg: values });
const result = fc.oneof(
  valueMap.map((outputArgs) => ({ type: 'req_output_args' as const, outputArgs })),
  failure.map((value) => ({ type: 'cmd_failure' as const, ...value })),
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

const resolved = fc.array(
  fc.record({
    resolvedPath: fc.oneof(
      objects,
      fc.constantFrom('Device.DeviceInfo.', 'Device.Cellular.Interface.1.', 'Device.TrustedElements.SIM.1.'),
    ),
    resultParams: fc.oneof(
      valueMap,
      fc
        .dictionary(
          fc.constantFrom(
            'ModelName',
            'SoftwareVersion',
            'ActiveFirmwareImage',
            'RSSI',
            'ICCID',
            'Status',
            'Recipient',
            'ID',
            'Enable',
          ),
          values,
        )
        .map((map) => new Map(Object.entries(map))),
    ),
  }),
  { maxLength: 5 },
);
const getResponse = fc.array(
  fc.record({ requestedPath: paths, errCode: fc.constantFrom(0, 0, 7026), errMsg: values, resolvedPathResults: resolved }),
  { maxLength: 6 },
);

/** A value of maximum length in a path that the server reads. */
const longResponse = fc
  .tuple(
    fc.constantFrom('ModelName', 'SoftwareVersion', 'ActiveFirmwareImage', 'CurrentLocalTime', 'Recipient', 'ICCID', 'Name'),
    longText(200_000),
  )
  .map(([name, value]) => ({
    type: 'get_resp' as const,
    reqPathResults: [
      'Device.DeviceInfo.',
      'Device.Time.',
      'Device.LocalAgent.Subscription.1.',
      'Device.TrustedElements.SIM.1.',
    ].map((resolvedPath) => {
      const resolvedPathResults = [{ resolvedPath, resultParams: new Map([[name, value]]) }];
      return { requestedPath: resolvedPath, errCode: 0, errMsg: '', resolvedPathResults };
    }),
  }));

/** The body of an answer to a server request of a kind: of the right shape with odd values, or of any message. */
function responseBody(kind: string): fc.Arbitrary<UspMessage['body']> {
  if (kind === 'get') {
    const usual = getResponse.map((reqPathResults) => ({ type: 'get_resp' as const, reqPathResults }));
    return fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: longResponse });
  }
  if (kind === 'get_supported_protocol')
    return values.map((versions) => ({ type: 'get_supported_protocol_resp' as const, agentSupportedProtocolVersions: versions }));
  if (kind === 'operate')
    return fc
      .array(
        fc.record({
          executedCommand: commands,
          result: fc.oneof(
            result,
            shortText.map((value) => ({ type: 'req_obj_path' as const, value })),
          ),
        }),
        { maxLength: 3 },
      )
      .map((operationResults) => ({ type: 'operate_resp' as const, operationResults }));
  return anyMessage.map(({ body }) => body);
}

const responses = new Map<string, fc.Arbitrary<UspMessage['body']>>();

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
