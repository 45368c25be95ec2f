import { isIPv4 } from 'node:net';
import type { ParamValueType } from '@highline/usp';
import type { Ids, ReadParam, RouterView, StoredParam } from './definition.ts';

/** Helpers that define the parameters of an object. */

type Read<T> = (router: RouterView, ids: Ids) => T;

/** Read-only text. */
export function text(read: Read<string>): ReadParam {
  return { type: 'PARAM_STRING', read };
}

/** Read-only text that never changes. */
export function fixed(value: string): ReadParam {
  return text(() => value);
}

/** Read-only whole number; `fluctuating` when it changes at every reading. */
export function whole(read: Read<number>, fluctuating?: 'fluctuating'): ReadParam {
  return numeric('PARAM_INT', (router, ids) => String(Math.round(read(router, ids))), fluctuating);
}

/** Read-only counter of bytes or similar, which changes at every reading. */
export function counter(read: Read<number>): ReadParam {
  return numeric('PARAM_UNSIGNED_LONG', (router, ids) => String(Math.floor(read(router, ids))), 'fluctuating');
}

/** Read-only decimal number with `digits` decimals; changes at every reading. */
export function decimal(digits: number, read: Read<number>): ReadParam {
  return numeric('PARAM_DECIMAL', (router, ids) => read(router, ids).toFixed(digits), 'fluctuating');
}

/** Read-only true or false. */
export function flag(read: Read<boolean>): ReadParam {
  return { type: 'PARAM_BOOLEAN', read: (router, ids) => String(read(router, ids)) };
}

/** Read-only time; undefined reads as TR-106's unknown time. `fluctuating` when it changes at every reading. */
export function moment(read: Read<number | undefined>, fluctuating?: 'fluctuating'): ReadParam {
  return numeric('PARAM_DATE_TIME', (router, ids) => formatTime(read(router, ids)), fluctuating);
}

/** Writable, stored in the router's rows, with `initial` as default. */
export function setting(type: ParamValueType, initial: string, check?: (value: string) => string | undefined): StoredParam {
  return check ? { type, initial, check } : { type, initial };
}

/** Writable true or false. */
export function toggle(initial: boolean): StoredParam {
  return setting('PARAM_BOOLEAN', String(initial));
}

/** The default name of each instance of a growing table in TR-106: cpe-1, cpe-2 … */
export const alias: StoredParam = {
  type: 'PARAM_STRING',
  initial: (_router, ids) => `cpe-${ids.at(-1) ?? 0}`,
  check: atMost(64),
};

/** Check: text of at most `length` characters. */
export function atMost(length: number): (value: string) => string | undefined {
  return (value) => (value.length > length ? `longer than ${length} characters` : undefined);
}

/** Check: one of the given values. */
export function oneOf(...options: readonly string[]): (value: string) => string | undefined {
  return (value) => (options.includes(value) ? undefined : `none of ${options.join(', ')}`);
}

/** Check: a number within limits, both included. */
export function between(least: number, most: number): (value: string) => string | undefined {
  return (value) => (Number(value) < least || Number(value) > most ? `not between ${least} and ${most}` : undefined);
}

/** Check: an IPv4 address, or nothing. */
export function addressFault(value: string): string | undefined {
  return value === '' || isIPv4(value) ? undefined : 'not an IPv4 address';
}

/** TR-106 writes an unknown time as the first year. */
export const UNKNOWN_TIME = '0001-01-01T00:00:00Z';

/** Epoch milliseconds as a TR-106 dateTime in UTC, whole seconds. */
export function formatTime(epochMs: number | undefined): string {
  return epochMs === undefined ? UNKNOWN_TIME : `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

function numeric(type: ParamValueType, read: Read<string>, fluctuating: 'fluctuating' | undefined): ReadParam {
  return fluctuating ? { type, read, fluctuating: true } : { type, read };
}
