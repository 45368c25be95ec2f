import { DEFAULT_GROUP_KEY } from '@highline/contract';
import { parseDay } from '../../../ui/time/format.ts';
import type { Batch } from './device-add.api.ts';
import { isAfter, type Problem } from './device-add.ts';

export type BatchField = keyof Batch;
export type BatchProblems = Readonly<Partial<Record<BatchField, Problem>>>;

/** The most devices of one batch. */
export const MAX_BATCH = 1_000;

export const emptyBatch: Batch = {
  model: '',
  name: '',
  first: '1',
  batch: '',
  serial_number: '',
  group: DEFAULT_GROUP_KEY,
  started: '',
  expired: '',
};

/** The faults of a batch before it is sent. */
export function batchProblems(input: Batch): BatchProblems {
  const problems: Partial<Record<BatchField, Problem>> = {};
  if (input.name.trim() === '') problems.name = 'required';
  if (!/^\d{1,6}$/u.test(input.first.trim())) problems.first = input.first.trim() === '' ? 'required' : 'format';
  const count = countOf(input);
  if (input.batch.trim() === '') problems.batch = 'required';
  else if (count === undefined) problems.batch = 'format';
  const started = parseDay(input.started);
  const expired = parseDay(input.expired);
  if (started === undefined) problems.started = 'required';
  if (expired === undefined) problems.expired = 'required';
  if (started !== undefined && expired !== undefined && isAfter(started, expired)) problems.expired = 'reversed';
  return problems;
}

/** The number of devices; undefined unless it is a number from 1 to 1,000. */
export function countOf({ batch }: Batch): number | undefined {
  const count = /^\d{1,4}$/u.test(batch.trim()) ? Number(batch) : 0;
  return count >= 1 && count <= MAX_BATCH ? count : undefined;
}

/** The first and the last name of a batch, as soon as they are known. */
export function endsOf(input: Batch): readonly [string, string] | undefined {
  const count = countOf(input);
  const first = input.first.trim();
  if (count === undefined || input.name.trim() === '' || !/^\d{1,6}$/u.test(first)) return undefined;
  const named = (number: number) => `${input.name.trimStart()}${String(number).padStart(first.length, '0')}`;
  return [named(Number(first)), named(Number(first) + count - 1)];
}
