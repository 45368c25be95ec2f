import protobuf from 'protobufjs';

/**
 * Converts the runtime's message objects to the plain shapes of `record.ts` and `message.ts`, and back.
 *
 * The shapes are derived from the schema by four rules:
 * - a field is named in camel case; scalars, lists and maps are always present, with the proto3 default when they are not
 * encoded;
 * - a map is a `Map` (a key such as `__proto__` is then only a key), 64-bit numbers are `bigint`, enums are their names;
 * - a oneof is one property `{ type: <protobuf name>, … }`: the member's own fields, or `value` for a scalar;
 * - a message with a single oneof and nothing else is that union itself.
 */
export type Shape = {
  /** @throws Error when a required oneof or message is missing. */
  toPlain(encoded: ProtobufObject): Plain;
  toMessage(plain: Plain): ProtobufObject;
};

export type ProtobufObject = { [field: string]: unknown };
export type Plain = { [property: string]: unknown };

type Converter = { toPlain(value: unknown): unknown; toMessage(value: unknown): unknown };
type Member = { fieldName: string; isMessage: boolean; convert: Converter };

const NO_BYTES = new Uint8Array(0);
const identity: Converter = { toPlain: (value) => value, toMessage: (value) => value };

/** The runtime's default for absent bytes is a plain array. */
const bytes: Converter = { toPlain: (value) => (value instanceof Uint8Array ? value : NO_BYTES), toMessage: (value) => value };

const bigints: Converter = {
  // The runtime returns {low, high} pairs with its 64-bit helper and numbers without it.
  toPlain: (value) => (typeof value === 'number' ? BigInt(value) : pairToBigint(value as { low: number; high: number })),
  toMessage: (value) => bigintToPair(value as bigint),
};

function pairToBigint(pair: { low: number; high: number }): bigint {
  return (BigInt(pair.high >>> 0) << 32n) | BigInt(pair.low >>> 0);
}

function bigintToPair(value: bigint): { low: number; high: number; unsigned: true } {
  return { low: Number(value & 0xffffffffn), high: Number((value >> 32n) & 0xffffffffn), unsigned: true };
}

const stringMaps: Converter = {
  toPlain: (value) => new Map(Object.entries(value as { [key: string]: string })),
  toMessage(value) {
    const object = Object.create(null) as { [key: string]: string };
    for (const [key, text] of value as ReadonlyMap<string, string>) object[key] = text;
    return object;
  },
};

/** Unknown enum numbers are decoded as the enum's first name: a newer peer must not lose its connection. */
function enumNames(type: protobuf.Enum): Converter {
  const first = type.valuesById[0] ?? '';
  return {
    toPlain: (value) => type.valuesById[value as number] ?? first,
    toMessage: (value) => type.values[value as string] ?? 0,
  };
}

function listOf(item: Converter): Converter {
  if (item === identity) return { toPlain: (value) => Array.from(value as unknown[]), toMessage: (value) => value };
  return {
    toPlain: (value) => (value as unknown[]).map((element) => item.toPlain(element)),
    toMessage: (value) => (value as unknown[]).map((element) => item.toMessage(element)),
  };
}

function shapeAsConverter(shape: () => Shape): Converter {
  return {
    toPlain: (value) => shape().toPlain(value as ProtobufObject),
    toMessage: (value) => shape().toMessage(value as Plain),
  };
}

function fieldConverter(field: protobuf.Field): Converter {
  field.resolve();
  if (field instanceof protobuf.MapField) return stringMaps;
  const single = singleConverter(field);
  return field.repeated ? listOf(single) : single;
}

function singleConverter(field: protobuf.Field): Converter {
  const type = field.resolvedType;
  if (type instanceof protobuf.Enum) return enumNames(type);
  if (type instanceof protobuf.Type) return shapeAsConverter(() => shapeOf(type));
  if (field.type === 'bytes') return bytes;
  return field.type === 'uint64' ? bigints : identity;
}

const shapes = new WeakMap<protobuf.Type, Shape>();

/** The shape of a message type, built once. Callers must have resolved the type's root. */
export function shapeOf(type: protobuf.Type): Shape {
  let shape = shapes.get(type);
  if (!shape) {
    shape = isOnlyOneof(type) ? unionShape(type.oneofsArray[0]!) : messageShape(type);
    shapes.set(type, shape);
  }
  return shape;
}

function isOnlyOneof(type: protobuf.Type): boolean {
  return type.oneofsArray.length === 1 && type.fieldsArray.every((field) => field.partOf !== null);
}

function messageShape(type: protobuf.Type): Shape {
  const parts = [
    ...type.fieldsArray.filter((field) => field.partOf === null).map(plainField),
    ...type.oneofsArray.map((oneof) => oneofField(oneof)),
  ];
  return {
    toPlain(encoded) {
      const plain: Plain = {};
      for (const part of parts) part.read(encoded, plain);
      return plain;
    },
    toMessage(plain) {
      const encoded: ProtobufObject = {};
      for (const part of parts) part.write(plain, encoded);
      return encoded;
    },
  };
}

type Part = { read(encoded: ProtobufObject, plain: Plain): void; write(plain: Plain, encoded: ProtobufObject): void };

function plainField(field: protobuf.Field): Part {
  const convert = fieldConverter(field);
  const property = protobuf.util.camelCase(field.name);
  const isMessage = !field.repeated && !field.map && field.resolvedType instanceof protobuf.Type;
  return {
    read(encoded, plain) {
      const value = encoded[field.name];
      if (isMessage && (value === null || value === undefined)) throw new Error(`${field.name} is missing`);
      plain[property] = convert.toPlain(value);
    },
    write(plain, encoded) {
      encoded[field.name] = convert.toMessage(plain[property]);
    },
  };
}

function oneofField(oneof: protobuf.OneOf): Part {
  const union = unionShape(oneof);
  const property = protobuf.util.camelCase(oneof.name);
  return {
    read(encoded, plain) {
      plain[property] = union.toPlain(encoded);
    },
    write(plain, encoded) {
      Object.assign(encoded, union.toMessage(plain[property] as Plain));
    },
  };
}

/** Oneofs to which newer versions of USP add members: one that is unknown here, or none, is `{ type: 'unknown' }`. */
const OPEN: ReadonlySet<string> = new Set(['.usp.Request.kind', '.usp.Notify.notification']);

function unionShape(oneof: protobuf.OneOf): Shape {
  const isOpen = OPEN.has(oneof.fullName);
  const members = new Map<string, Member>();
  for (const field of oneof.fieldsArray) {
    const convert = fieldConverter(field);
    members.set(field.name, { fieldName: field.name, isMessage: field.resolvedType instanceof protobuf.Type, convert });
  }
  return {
    toPlain(encoded) {
      const name = encoded[oneof.name];
      const member = typeof name === 'string' ? members.get(name) : undefined;
      if (!member && isOpen) return { type: 'unknown' };
      if (!member) throw new Error(`none of ${[...members.keys()].join(', ')} is present`);
      const value = member.convert.toPlain(encoded[member.fieldName]);
      return member.isMessage ? { type: member.fieldName, ...(value as Plain) } : { type: member.fieldName, value };
    },
    toMessage(plain) {
      const member = members.get(String(plain['type']));
      if (!member) throw new TypeError(`${String(plain['type'])} is none of ${[...members.keys()].join(', ')}`);
      return { [member.fieldName]: member.convert.toMessage(member.isMessage ? plain : plain['value']) };
    },
  };
}
