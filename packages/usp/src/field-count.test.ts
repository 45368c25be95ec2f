import * as fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import {
  countMessageFields,
  decodeMessage,
  decodeRecord,
  encodeMessage,
  encodeRecord,
  MOST_MESSAGE_FIELDS,
  MOST_RECORD_FIELDS,
  UspDecodeError,
} from './codec.ts';
import { countFields, nestingOf } from './field-count.ts';
import type { SupportedObject, UspBody } from './message.ts';
import { RECORD_PROTO } from './record-schema.ts';
import { MESSAGE_PROTO } from './schema.ts';
import { anyMessage, anyRecord } from './testing/arbitraries.ts';

const root = new protobuf.Root();
for (const text of [RECORD_PROTO, MESSAGE_PROTO]) protobuf.parse(text, root, { keepCase: true });
root.resolveAll();
const recordType = root.lookupType('usp_record.Record');
const messageType = root.lookupType('usp.Msg');

const MIB = 1024 * 1024;

/** How many fields the decoder reads; undefined when it rejects the bytes. */
function fieldsDecoded(type: protobuf.Type, bytes: Uint8Array): number | undefined {
  const reader = protobuf.Reader.create(bytes);
  let fields = 0;
  const readTag = reader.tag.bind(reader);
  reader.tag = () => {
    fields++;
    return readTag();
  };
  try {
    type.decode(reader);
    return fields;
  } catch {
    return undefined;
  }
}

function fieldsCounted(type: protobuf.Type, bytes: Uint8Array): number | undefined {
  try {
    return countFields(bytes, nestingOf(type), Number.POSITIVE_INFINITY);
  } catch {
    return undefined;
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 0x7f; value = Math.floor(value / 0x80)) bytes.push((value % 0x80) | 0x80);
  return [...bytes, value];
}

function field(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);
}

/** The field of number `numbers[0]` that holds the field of number `numbers[1]`, and so on. */
function nested(numbers: readonly number[], content: Uint8Array): Uint8Array {
  return numbers.reduceRight((inner, number) => field(number, inner), content);
}

const header = nested([1, 1], Buffer.from('x'));
const message = (numbers: readonly number[], content: Uint8Array) => Buffer.concat([header, nested(numbers, content)]);
const emptyFields = (number: number, count: number) => Buffer.alloc(count * 2, Buffer.from([number * 8 + 2, 0]));
const parameters = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [`Parameter${index}`, `value ${index}`]));
const encoded = (body: UspBody) => encodeMessage({ msgId: '1', body });

/** Where in a message repeated parts, or parts that a later one replaces, can be empty: numbers of fields from the outermost. */
const AMPLIFIERS: readonly [what: string, numbers: readonly number[], number: number][] = [
  ['results of a GetResp', [2, 2, 1], 1],
  ['resolved paths of a GetResp', [2, 2, 1, 1], 4],
  ['parameters of a GetResp, a map', [2, 2, 1, 1, 4], 2],
  ['keys of one parameter', [2, 2, 1, 1, 4, 2], 1],
  ['objects of a GetSupportedDMResp', [2, 2, 2, 1], 5],
  ['commands of a GetSupportedDMResp', [2, 2, 2, 1, 5], 4],
  ['argument names of a command', [2, 2, 2, 1, 5, 4], 2],
  ['results of an AddResp', [2, 2, 5], 1],
  ['paths of a Get', [2, 1, 1], 1],
  ['parameters of an event', [2, 1, 8, 3], 3],
  ['results of an operation', [2, 1, 8, 7, 4], 1],
  ['errors of parameters', [2, 3], 3],
  ['bodies', [], 2],
  ['fields that no schema has', [], 15],
];

describe('the fields of a message', () => {
  it.each(AMPLIFIERS)('above the limit are rejected before they are decoded, within 1 MiB: %s', (_, numbers, number) => {
    for (const count of [MOST_MESSAGE_FIELDS, 520_000]) {
      const bytes = message(numbers, emptyFields(number, count));
      expect(bytes.length).toBeLessThan(MIB);
      expect(() => decodeMessage(bytes)).toThrow(new UspDecodeError('undecodable USP message: more than 50000 fields'));
      expect(() => countMessageFields(bytes)).toThrow(UspDecodeError);
    }
  });

  it.each(AMPLIFIERS)('up to the limit are the decoder’s own: %s', (_, numbers, number) => {
    const around = 2 + numbers.length;
    const bytes = message(numbers, emptyFields(number, MOST_MESSAGE_FIELDS - around));
    expect(countMessageFields(bytes)).toBe(MOST_MESSAGE_FIELDS);
    expect(fieldsDecoded(messageType, bytes)).toBe(MOST_MESSAGE_FIELDS);
    expect(() => countMessageFields(message(numbers, emptyFields(number, MOST_MESSAGE_FIELDS - around + 1)))).toThrow(
      UspDecodeError,
    );
  });

  it('above the limit are rejected in a record too, whatever its payload', () => {
    const ids = Buffer.concat([field(2, Buffer.from('a')), field(3, Buffer.from('b'))]);
    for (const content of [
      field(8, emptyFields(7, 520_000)),
      field(8, emptyFields(7, MOST_RECORD_FIELDS)),
      emptyFields(7, 520_000),
      emptyFields(9, 520_000),
    ])
      expect(() => decodeRecord(Buffer.concat([ids, content]))).toThrow(
        new UspDecodeError('undecodable USP record: more than 1000 fields'),
      );
    expect(decodeRecord(Buffer.concat([ids, field(8, emptyFields(7, MOST_RECORD_FIELDS - 3))])).payload.type).toBe(
      'session_context',
    );
  });

  it('of a record are not those of the message in it, nor are those of a text', () => {
    const inner = emptyFields(1, 520_000);
    const { payload } = decodeRecord(
      encodeRecord({ toId: 'a', fromId: 'b', payload: { type: 'no_session_context', payload: inner } }),
    );
    expect(payload.type === 'no_session_context' && inner.equals(payload.payload)).toBe(true);
    // Bytes that would be half a million empty fields, were they no text.
    const text = '\n\u0000'.repeat(500_000);
    const body: UspBody = { type: 'get', paramPaths: [text], maxDepth: 0 };
    const bytes = encodeMessage({ msgId: '1', body });
    expect(countMessageFields(bytes)).toBe(7);
    const decoded = decodeMessage(bytes).body;
    expect(decoded.type === 'get' && decoded.paramPaths[0] === text).toBe(true);
  });
});

describe('the largest messages that an agent has reason to send are decoded', () => {
  it('the answer to a Get of 10,000 parameters in 2,000 objects', () => {
    const resolvedPathResults = Array.from({ length: 2_000 }, (_, index) => ({
      resolvedPath: `Device.Object.${index}.`,
      resultParams: parameters(5),
    }));
    const body: UspBody = {
      type: 'get_resp',
      reqPathResults: [{ requestedPath: 'Device.', errCode: 0, errMsg: '', resolvedPathResults }],
    };
    expect(decodeMessage(encoded(body)).body).toEqual(body);
  });

  it('the answer to a Get of 10,000 paths, one by one, none of which is there', () => {
    const reqPathResults = Array.from({ length: 10_000 }, (_, index) => ({
      requestedPath: `Device.Object.${index}.Name`,
      errCode: 7026,
      errMsg: 'no such path',
      resolvedPathResults: [],
    }));
    const body: UspBody = { type: 'get_resp', reqPathResults };
    expect(decodeMessage(encoded(body)).body).toEqual(body);
  });

  it('a whole model of 700 objects with 7,000 parameters', () => {
    const supportedObjs = Array.from({ length: 700 }, (_, index) => supportedObject(`Device.Object.${index}.{i}.`));
    const reqObjResults = [
      { reqObjPath: 'Device.', errCode: 0, errMsg: '', dataModelInstUri: 'urn:broadband-forum-org:tr-181-2-19', supportedObjs },
    ];
    const body: UspBody = { type: 'get_supported_dm_resp', reqObjResults };
    expect(decodeMessage(encoded(body)).body).toEqual(body);
  });

  it('an event with 10,000 parameters, and a report of measured values of almost 1 MiB', () => {
    for (const params of [parameters(10_000), new Map([['Data', '{"Report":[]}'.padEnd(MIB - 200)]])]) {
      const notification = { type: 'event', objPath: 'Device.BulkData.Profile.1.', eventName: 'Push!', params } as const;
      const body: UspBody = { type: 'notify', subscriptionId: 's', sendResp: true, notification };
      expect(decodeMessage(encoded(body)).body).toEqual(body);
    }
  });
});

function supportedObject(supportedObjPath: string): SupportedObject {
  return {
    supportedObjPath,
    access: 'OBJ_ADD_DELETE',
    isMultiInstance: true,
    supportedCommands: [{ commandName: 'Reset()', inputArgNames: [], outputArgNames: ['Status'], commandType: 'CMD_ASYNC' }],
    supportedEvents: [{ eventName: 'Changed!', argNames: ['Name'] }],
    supportedParams: Array.from({ length: 10 }, (_, index) => ({
      paramName: `Name${index}`,
      access: 'PARAM_READ_WRITE',
      valueType: 'PARAM_UNSIGNED_LONG',
      valueChange: 'VALUE_CHANGE_ALLOWED',
    })),
    divergentPaths: [],
    uniqueKeySets: [{ keyNames: ['Alias'] }],
  };
}

describe('the count', () => {
  it('is that of the decoder, for any message and any record', () => {
    fc.assert(
      fc.property(anyMessage, (any) => {
        const bytes = encodeMessage(any);
        expect(countMessageFields(bytes)).toBe(fieldsDecoded(messageType, bytes));
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(anyRecord, (any) => {
        const bytes = encodeRecord(any);
        expect(fieldsCounted(recordType, bytes)).toBe(fieldsDecoded(recordType, bytes));
      }),
      { numRuns: 300 },
    );
  });

  /** Bytes that are often fields: tags of the schema, other tags, short lengths and longer numbers. */
  const fieldBytes = fc
    .array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc
            .tuple(fc.integer({ min: 0, max: 16 }), fc.constantFrom(0, 1, 2, 2, 2, 3, 4, 5, 7))
            .map(([number, type]) => varint(number * 8 + type)),
        },
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 24 }).map((length) => [length]) },
        { weight: 1, arbitrary: fc.nat({ max: 0xffffffff }).map(varint) },
        { weight: 1, arbitrary: fc.array(fc.constantFrom(0x00, 0x01, 0x80, 0xff), { maxLength: 11 }) },
      ),
      { maxLength: 40 },
    )
    .map((parts) => Uint8Array.from(parts.flat()));
  const changed = fc.tuple(anyMessage, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat()).map(([any, at, byte, cut]) => {
    const bytes = Uint8Array.from(encodeMessage(any));
    bytes[at % bytes.length] = byte;
    return cut % 2 === 0 ? bytes : bytes.subarray(0, cut % bytes.length);
  });
  const placed = fc
    .tuple(fc.constantFrom([], ...AMPLIFIERS.map(([, numbers]) => numbers)), fieldBytes)
    .map(([numbers, bytes]) => nested(numbers, bytes));

  it('is that of the decoder for any bytes, or the bytes are rejected: it never counts fewer', () => {
    let agreed = 0;
    fc.assert(
      fc.property(fc.oneof(fieldBytes, placed, changed, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        for (const each of [bytes, Buffer.from(bytes)]) {
          const counted = fieldsCounted(messageType, each);
          const decoded = fieldsDecoded(messageType, each);
          if (counted !== undefined && decoded !== undefined) {
            expect(counted).toBe(decoded);
            agreed++;
          }
        }
      }),
      { numRuns: 5_000 },
    );
    expect(agreed).toBeGreaterThan(100);
  });

  it('throws nothing but UspDecodeError, and ends, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fieldBytes, placed, changed, fc.uint8Array({ maxLength: 60 })), (bytes) => {
        for (const read of [countMessageFields, decodeMessage, decodeRecord]) {
          try {
            read(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(UspDecodeError);
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['a tag that is cut', [0x8a]],
    ['a tag of six bytes', [0x8a, 0x80, 0x80, 0x80, 0x80, 0x00, 0x00]],
    ['a tag above 32 bits', [0xfa, 0xff, 0xff, 0xff, 0x7f, 0x00]],
    ['field number 0', [0x02, 0x00]],
    ['a length that is cut', [0x0a, 0x80]],
    ['a length of six bytes', [0x0a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00]],
    ['a length of 4 GiB', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]],
    ['a part longer than what holds it', [0x12, 0x02, 0x0a, 0x01, 0x00]],
    ['an unknown field longer than what holds it', [0x12, 0x02, 0x7a, 0x01, 0x00]],
    ['a number that is cut', [0x78]],
    ['a number of eleven bytes', [0x78, ...Array.from({ length: 10 }, () => 0x80), 0x00]],
    ['a fixed number that is cut', [0x7d, 0, 0, 0]],
    ['a long fixed number that is cut', [0x79, 0, 0, 0, 0, 0, 0, 0]],
    ['a group', [0x7b, 0x7c]],
    ['the end of a group', [0x7c]],
    ['encoding 6', [0x7e]],
    ['encoding 7', [0x7f]],
  ])('is rejected for %s', (_, bytes) => {
    expect(() => countMessageFields(Uint8Array.from(bytes))).toThrow(UspDecodeError);
    expect(() => decodeMessage(Uint8Array.from(bytes))).toThrow(UspDecodeError);
  });

  it('of nothing is 0, and numbers may have more bytes than they need', () => {
    expect(countMessageFields(new Uint8Array(0))).toBe(0);
    const padded = Uint8Array.from([0x8a, 0x80, 0x00, 0x84, 0x00, 0x0a, 0x81, 0x00, 0x78]);
    expect([countMessageFields(padded), fieldsDecoded(messageType, padded)]).toEqual([2, 2]);
  });
});

it('the schema has no list of numbers, which could hold many in one field', () => {
  const lists = [...typesIn(root)].flatMap((type) => type.fieldsArray).filter((each) => each.repeated);
  expect(lists.length).toBeGreaterThan(20);
  for (const { type, resolvedType } of lists)
    expect(type === 'string' || type === 'bytes' || resolvedType instanceof protobuf.Type, type).toBe(true);
});

function* typesIn(namespace: protobuf.NamespaceBase): Generator<protobuf.Type> {
  for (const each of namespace.nestedArray) {
    if (each instanceof protobuf.Type) yield each;
    if (each instanceof protobuf.Namespace) yield* typesIn(each);
  }
}
