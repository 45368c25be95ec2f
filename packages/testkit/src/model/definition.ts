/** What an agent supports, as TR-369's GetSupportedDM reports it: objects by their path with `{i}` for instances. */
export type SupportedModel = ReadonlyMap<string, ObjectDefinition>;

export type ValueType = 'boolean' | 'dateTime' | 'int' | 'string' | 'unsignedInt';

export interface ParameterDefinition {
  /** `writeOnce`: TR-181's writeOnceReadOnly, accepted by Add and rejected by Set. */
  readonly access: 'readOnly' | 'readWrite' | 'writeOnce';
  readonly type: ValueType;
  readonly initial: string;
  /** Rule on the value in addition to its type. */
  readonly accepts?: (value: string) => boolean;
  /** TR-181's hidden: it reads as an empty text. */
  readonly isHidden?: true;
}

export interface CommandDefinition {
  readonly type: 'sync' | 'async';
  readonly inputs: readonly string[];
  /** Required inputs. */
  readonly required: readonly string[];
}

export interface ObjectDefinition {
  readonly parameters: Readonly<Record<string, ParameterDefinition>>;
  readonly commands: Readonly<Record<string, CommandDefinition>>;
  /** Names of the arguments of each event. */
  readonly events: Readonly<Record<string, readonly string[]>>;
  /** Sets of parameters that are unique together. */
  readonly uniqueKeys: readonly (readonly string[])[];
  /** Whether a controller may add and delete instances. */
  readonly isCreatable: boolean;
}

type Accepts = (value: string) => boolean;
type Builder = (initial?: string, accepts?: Accepts) => ParameterDefinition;

const defaults: Readonly<Record<ValueType, string>> = {
  boolean: 'false',
  dateTime: '0001-01-01T00:00:00Z',
  int: '0',
  string: '',
  unsignedInt: '0',
};

function builder(access: ParameterDefinition['access'], type: ValueType): Builder {
  return (initial = defaults[type], accepts) => ({ access, type, initial, ...(accepts === undefined ? {} : { accepts }) });
}

function builders(access: ParameterDefinition['access']): Readonly<Record<ValueType, Builder>> {
  return {
    boolean: builder(access, 'boolean'),
    dateTime: builder(access, 'dateTime'),
    int: builder(access, 'int'),
    string: builder(access, 'string'),
    unsignedInt: builder(access, 'unsignedInt'),
  };
}

/** Parameters by access, then by type: `readWrite.boolean('true')`. */
export const readOnly = builders('readOnly');
export const readWrite = builders('readWrite');
export const writeOnce = builders('writeOnce');

/** A text that can be set and not be read. */
export function hidden(accepts: Accepts): ParameterDefinition {
  return { access: 'readWrite', type: 'string', initial: '', accepts, isHidden: true };
}

/** Define one object; missing parts are empty. */
export function object(parts: Partial<ObjectDefinition> = {}): ObjectDefinition {
  return { parameters: {}, commands: {}, events: {}, uniqueKeys: [], isCreatable: false, ...parts };
}

/** A command that answers with its result. */
export function sync(inputs: readonly string[] = [], required: readonly string[] = []): CommandDefinition {
  return { type: 'sync', inputs, required };
}

/** A command that answers with a row of Device.LocalAgent.Request. and ends later. */
export function async(inputs: readonly string[], required: readonly string[] = []): CommandDefinition {
  return { type: 'async', inputs, required };
}

/** A whole number between two bounds, both included. */
export function between(least: number, most: number): Accepts {
  return (value) => Number(value) >= least && Number(value) <= most;
}

/** One of the given values. */
export function oneOf(...values: readonly string[]): Accepts {
  return (value) => values.includes(value);
}

const patterns: Readonly<Record<Exclude<ValueType, 'dateTime'>, RegExp>> = {
  boolean: /^(?:true|false|1|0)$/u,
  int: /^-?\d{1,10}$/u,
  string: /^/u,
  unsignedInt: /^\d{1,10}$/u,
};

/** Whether a text is a value of a type (TR-106 data types). */
export function isOfType(type: ValueType, value: string): boolean {
  return type === 'dateTime' ? !Number.isNaN(Date.parse(value)) : patterns[type].test(value);
}
