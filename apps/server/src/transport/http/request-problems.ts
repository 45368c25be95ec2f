import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  tuple: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

const formats: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2026-11-23T09:27:00Z',
  date: 'must be a day such as 2026-11-23',
  uuid: 'is not an id',
};

/** More values than these are not listed in a sentence. */
const MOST_VALUES = 30;

/** What is wrong with a field, as a sentence for people: where a schema has no message of its own, in place of the validator's. */
export function problemOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (kinds[issue.expected] ?? 'has the wrong type');
    case 'too_small':
      return limitOf(issue.origin, Number(issue.minimum), issue.inclusive === false ? 'more than' : 'at least');
    case 'too_big':
      return limitOf(issue.origin, Number(issue.maximum), issue.inclusive === false ? 'less than' : 'at most');
    case 'invalid_value':
      return valuesOf(issue.values, issue.input);
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong format';
    case 'unrecognized_keys':
      return `has ${issue.keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${issue.keys.slice(0, 5).join(', ')}`;
    case 'invalid_union':
      return issue.input === undefined ? 'is required' : 'has none of the forms that are allowed';
    default:
      return 'is not valid';
  }
}

function limitOf(origin: string, limit: number, than: string): string {
  if (origin === 'string')
    return limit === 1 && than === 'at least' ? 'must not be empty' : `must have ${than} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${than} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `must be ${than} ${limit}`;
}

function valuesOf(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return 'is required';
  const named = values.map((value) => (value === '' ? 'empty' : String(value)));
  return named.length > MOST_VALUES
    ? 'is not one of the known values'
    : `must be ${named.length === 1 ? '' : 'one of '}${named.join(', ')}`;
}
