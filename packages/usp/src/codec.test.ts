import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UspDecodeError, decodeMessage, decodeRecord, encodeMessage, encodeMessageRecord, encodeRecord } from './codec.ts';
import type { UspMessage } from './message.ts';
import { anyMessage, anyRecord } from './testing/arbitraries.ts';
import {
  INDEPENDENT_MSG_TYPES,
  decodeIndependentMessage,
  decodeIndependentRecord,
  encodeIndependentMessage,
  encodeIndependentRecord,
} from '@highline/testkit/codec';

/** Byte fields are views of the frame: convert them to plain arrays for comparison, and drop map order. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: [...value] };
  if (value instanceof Map) return { map: [...value].sort(([a], [b]) => (a < b ? -1 : 1)) };
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, comparable(part)]));
}

/** Undefined unless decoding throws anything but UspDecodeError. */
function strangeFault(decode: (bytes: Uint8Array) => unknown, bytes: Uint8Array): unknown {
  try {
    decode(bytes);
    return undefined;
  } catch (error) {
    return error instanceof UspDecodeError ? undefined : error;
  }
}

function flip(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const index = at % copy.length;
  copy[index] = (copy[index] ?? 0) ^ (1 << bit);
  return copy;
}

describe('records and messages', () => {
  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(comparable(decodeRecord(encodeRecord(record)))).toEqual(comparable(record));
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(anyMessage, (message) => {
        expect(comparable(decodeMessage(encodeMessage(message)))).toEqual(comparable(message));
      }),
      { numRuns: 600 },
    );
  });

  it('survive a round trip through another protobuf runtime with its own schema', () => {
    fc.assert(
      fc.property(anyRecord, (record) => {
        expect(comparable(decodeRecord(encodeIndependentRecord(decodeIndependentRecord(encodeRecord(record)))))).toEqual(
          comparable(record),
        );
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(anyMessage, (message) => {
        expect(comparable(decodeMessage(encodeIndependentMessage(decodeIndependentMessage(encodeMessage(message)))))).toEqual(
          comparable(message),
        );
      }),
      { numRuns: 600 },
    );
  });

  it('decode a frame that is wrapped like every message here', () => {
    const message: UspMessage = { msgId: 'm-1', body: { type: 'notify_resp', subscriptionId: 's' } };
    const record = decodeRecord(encodeMessageRecord({ toId: 'self::highline', fromId: 'os::00B2D0-A' }, message));
    expect(record).toMatchObject({
      version: '1.3',
      toId: 'self::highline',
      fromId: 'os::00B2D0-A',
      payloadSecurity: 'PLAINTEXT',
    });
    expect(record.payload.type === 'no_session_context' && decodeMessage(record.payload.payload)).toEqual(message);
  });
});

type Golden = {
  name: string;
  msgType: string;
  kind: 'request' | 'response' | 'error';
  encoded: object;
  body: UspMessage['body'];
};

const member = (name: string, value: object) => ({ one: { case: name, value } });

/** Frames of another implementation, and how they must be decoded. */
const GOLDEN: Golden[] = [
  {
    name: 'Get',
    msgType: 'GET',
    kind: 'request',
    encoded: member('get', { paramPaths: ['Device.DeviceInfo.', 'Device.Cellular.Interface.*.RSRP'], maxDepth: 2 }),
    body: { type: 'get', paramPaths: ['Device.DeviceInfo.', 'Device.Cellular.Interface.*.RSRP'], maxDepth: 2 },
  },
  {
    name: 'GetResp',
    msgType: 'GET_RESP',
    kind: 'response',
    encoded: member('getResp', {
      reqPathResults: [
        {
          requestedPath: 'Device.DeviceInfo.UpTime',
          resolvedPathResults: [{ resolvedPath: 'Device.DeviceInfo.', resultParams: { UpTime: '17' } }],
        },
        { requestedPath: 'Device.Nothing.', errCode: 7026, errMsg: 'no such path' },
      ],
    }),
    body: {
      type: 'get_resp',
      reqPathResults: [
        {
          requestedPath: 'Device.DeviceInfo.UpTime',
          errCode: 0,
          errMsg: '',
          resolvedPathResults: [{ resolvedPath: 'Device.DeviceInfo.', resultParams: new Map([['UpTime', '17']]) }],
        },
        { requestedPath: 'Device.Nothing.', errCode: 7026, errMsg: 'no such path', resolvedPathResults: [] },
      ],
    },
  },
  {
    name: 'Notify of Boot!',
    msgType: 'NOTIFY',
    kind: 'request',
    encoded: member('notify', {
      subscriptionId: 'boot',
      sendResp: true,
      one: { case: 'event', value: { objPath: 'Device.', eventName: 'Boot!', params: { Cause: 'LocalReboot' } } },
    }),
    body: {
      type: 'notify',
      subscriptionId: 'boot',
      sendResp: true,
      notification: { type: 'event', objPath: 'Device.', eventName: 'Boot!', params: new Map([['Cause', 'LocalReboot']]) },
    },
  },
  {
    name: 'NotifyResp',
    msgType: 'NOTIFY_RESP',
    kind: 'response',
    encoded: member('notifyResp', { subscriptionId: 'boot' }),
    body: { type: 'notify_resp', subscriptionId: 'boot' },
  },
  {
    name: 'Add',
    msgType: 'ADD',
    kind: 'request',
    encoded: member('add', {
      allowPartial: true,
      createObjs: [{ objPath: 'Device.LocalAgent.Subscription.', paramSettings: [{ param: 'ID', value: 'b', required: true }] }],
    }),
    body: {
      type: 'add',
      allowPartial: true,
      createObjs: [{ objPath: 'Device.LocalAgent.Subscription.', paramSettings: [{ param: 'ID', value: 'b', required: true }] }],
    },
  },
  {
    name: 'AddResp',
    msgType: 'ADD_RESP',
    kind: 'response',
    encoded: member('addResp', {
      createdObjResults: [
        { requestedPath: 'A.', operStatus: { one: { case: 'operSuccess', value: { instantiatedPath: 'A.1.' } } } },
        { requestedPath: 'B.', operStatus: { one: { case: 'operFailure', value: { errCode: 7018, errMsg: 'no table' } } } },
      ],
    }),
    body: {
      type: 'add_resp',
      createdObjResults: [
        {
          requestedPath: 'A.',
          operStatus: { type: 'oper_success', instantiatedPath: 'A.1.', paramErrs: [], uniqueKeys: new Map() },
        },
        { requestedPath: 'B.', operStatus: { type: 'oper_failure', errCode: 7018, errMsg: 'no table' } },
      ],
    },
  },
  {
    name: 'OperateResp with an empty result',
    msgType: 'OPERATE_RESP',
    kind: 'response',
    encoded: member('operateResp', {
      operationResults: [
        { executedCommand: 'Device.Reboot()', one: { case: 'reqOutputArgs', value: {} } },
        { executedCommand: 'X()', one: { case: 'reqObjPath', value: '' } },
      ],
    }),
    body: {
      type: 'operate_resp',
      operationResults: [
        { executedCommand: 'Device.Reboot()', result: { type: 'req_output_args', outputArgs: new Map() } },
        { executedCommand: 'X()', result: { type: 'req_obj_path', value: '' } },
      ],
    },
  },
  {
    name: 'Error',
    msgType: 'ERROR',
    kind: 'error',
    encoded: { errCode: 7004, errMsg: 'invalid', paramErrs: [{ paramPath: 'Device.X', errCode: 7010, errMsg: 'unsupported' }] },
    body: {
      type: 'error',
      errCode: 7004,
      errMsg: 'invalid',
      paramErrs: [{ paramPath: 'Device.X', errCode: 7010, errMsg: 'unsupported' }],
    },
  },
];

describe('golden frames of another runtime', () => {
  it.each(GOLDEN)('$name is decoded equally and encoded identically byte for byte', ({ msgType, kind, encoded, body }) => {
    const header = { msgId: 'id-7', msgType: INDEPENDENT_MSG_TYPES.indexOf(msgType) };
    const bytes = encodeIndependentMessage({ header, body: { one: { case: kind, value: encoded } } });
    expect(decodeMessage(bytes)).toEqual({ msgId: 'id-7', body });
    expect(Buffer.from(encodeMessage({ msgId: 'id-7', body })).toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
  });

  it('a record with a message is decoded equally and encoded identically byte for byte', () => {
    const payload = Uint8Array.of(1, 2, 3);
    const ids = { toId: 'self::highline', fromId: 'os::00B2D0-SN1' };
    const bytes = encodeIndependentRecord({ version: '1.3', ...ids, one: { case: 'noSessionContext', value: { payload } } });
    const record = decodeRecord(bytes);
    expect(comparable(record.payload)).toEqual(comparable({ type: 'no_session_context', payload }));
    expect(Buffer.from(encodeRecord(record)).toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
  });

  it('a websocket_connect has an empty body and is still present', () => {
    const bytes = encodeIndependentRecord({
      version: '1.3',
      toId: 'a',
      fromId: 'b',
      one: { case: 'websocketConnect', value: {} },
    });
    expect(decodeRecord(bytes).payload).toEqual({ type: 'websocket_connect' });
    expect(Buffer.from(encodeRecord(decodeRecord(bytes))).equals(Buffer.from(bytes))).toBe(true);
  });

  it('the body decides the type of a message, whatever msg_type claims', () => {
    const body = { one: { case: 'request', value: member('get', { paramPaths: ['Device.'] }) } };
    const bytes = encodeIndependentMessage({ header: { msgId: 'x', msgType: 0 }, body });
    expect(decodeMessage(bytes).body.type).toBe('get');
  });

  it('an enum number from a newer version is decoded as the first name and does no harm', () => {
    const object = { supportedObjPath: 'Device.', supportedParams: [{ paramName: 'X', valueType: 99 }] };
    const response = member('getSupportedDmResp', { reqObjResults: [{ reqObjPath: 'Device.', supportedObjs: [object] }] });
    const bytes = encodeIndependentMessage({
      header: { msgId: 'x', msgType: 13 },
      body: { one: { case: 'response', value: response } },
    });
    const { body } = decodeMessage(bytes);
    expect(body.type === 'get_supported_dm_resp' && body.reqObjResults[0]?.supportedObjs[0]?.supportedParams[0]?.valueType).toBe(
      'PARAM_UNKNOWN',
    );
  });
});

describe('untrusted bytes', () => {
  it('either decode or are rejected with UspDecodeError: random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(strangeFault(decodeRecord, bytes)).toBeUndefined();
        expect(strangeFault(decodeMessage, bytes)).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });

  it('either decode or are rejected with UspDecodeError: valid frames with a flipped bit or cut short', () => {
    const spot = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 7 }), fc.nat());
    fc.assert(
      fc.property(anyMessage, spot, (message, [at, bit, length]) => {
        const bytes = encodeMessage(message);
        expect(strangeFault(decodeMessage, flip(bytes, at, bit))).toBeUndefined();
        expect(strangeFault(decodeMessage, bytes.subarray(0, length % bytes.length))).toBeUndefined();
      }),
      { numRuns: 1500 },
    );
    fc.assert(
      fc.property(anyRecord, spot, (record, [at, bit]) => {
        expect(strangeFault(decodeRecord, flip(encodeRecord(record), at, bit))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['no bytes', new Uint8Array(0)],
    ['a record of unknown fields only', Uint8Array.of(0xfa, 0x01, 0x00)],
    ['endlessly nested groups', new Uint8Array(5000).fill(0x0b)],
    ['a length beyond the end', Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x07)],
    ['a string that is not UTF-8', Uint8Array.of(0x0a, 0x01, 0xff, 0x3a, 0x00)],
  ])('%s is rejected', (_, bytes) => {
    expect(() => decodeRecord(bytes)).toThrow(UspDecodeError);
    expect(() => decodeMessage(bytes)).toThrow(UspDecodeError);
  });

  it('a message without header, without body or with an empty body is rejected; a request of an unknown kind is one', () => {
    const body = { one: { case: 'error', value: {} } };
    for (const value of [{ body }, { header: { msgId: 'x' } }, { header: { msgId: 'x' }, body: {} }]) {
      expect(() => decodeMessage(encodeIndependentMessage(value))).toThrow(UspDecodeError);
    }
    expect(decodeMessage(encodeIndependentMessage({ header: { msgId: 'x' }, body })).body.type).toBe('error');
    const request = { one: { case: 'request', value: {} } };
    expect(decodeMessage(encodeIndependentMessage({ header: { msgId: 'x' }, body: request })).body.type).toBe('unknown');
  });

  it('a map key cannot reach a prototype', () => {
    const params = Object.fromEntries([['__proto__', 'polluted']]);
    const notify = { one: { case: 'event', value: { objPath: 'Device.', eventName: 'Boot!', params } } };
    const bytes = encodeIndependentMessage({
      header: { msgId: 'x' },
      body: { one: { case: 'request', value: member('notify', notify) } },
    });
    const { body } = decodeMessage(bytes);
    const event = body.type === 'notify' && body.notification.type === 'event' ? body.notification : undefined;
    expect([...(event?.params ?? [])]).toEqual([['__proto__', 'polluted']]);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });
});
