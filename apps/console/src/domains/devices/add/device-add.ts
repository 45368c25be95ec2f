import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { parseDay } from '../../../ui/time/format.ts';
import type { NewDevice } from './device-add.api.ts';

export type Field = keyof NewDevice | 'org';
export type Problem = 'required' | 'format' | 'reversed';
export type Problems = Readonly<Partial<Record<Field, Problem>>>;

export const emptyDevice: NewDevice = { group: DEFAULT_GROUP_KEY, mac: '', serial_number: '', started: '', expired: '' };

/** 12 hex digits, upper case, without separators (DEV-05); undefined when the text is not a MAC address in any writing. */
export function macOf(text: string): string | undefined {
  const digits = text
    .trim()
    .replaceAll(/[\s:.-]/gu, '')
    .toUpperCase();
  return /^[0-9A-F]{12}$/u.test(digits) ? digits : undefined;
}

/** The faults of a form before it is sent: all fields are required, a MAC has 12 digits, dates exist and are in order. */
export function problemsOf(device: NewDevice, org: string | undefined, needsOrg: boolean): Problems {
  const problems: Partial<Record<Field, Problem>> = {};
  if (needsOrg && org === undefined) problems.org = 'required';
  if (device.serial_number.trim() === '') problems.serial_number = 'required';
  if (device.mac.trim() === '') problems.mac = 'required';
  else if (macOf(device.mac) === undefined) problems.mac = 'format';
  const started = parseDay(device.started);
  const expired = parseDay(device.expired);
  if (started === undefined) problems.started = 'required';
  if (expired === undefined) problems.expired = 'required';
  if (started !== undefined && expired !== undefined && isAfter(started, expired)) problems.expired = 'reversed';
  return problems;
}

type Day = NonNullable<ReturnType<typeof parseDay>>;

/** True when one day is after another. */
export function isAfter(one: Day, other: Day): boolean {
  return one.year * 10_000 + one.month * 100 + one.day > other.year * 10_000 + other.month * 100 + other.day;
}
