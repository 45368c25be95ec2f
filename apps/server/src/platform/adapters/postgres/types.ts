import { TypeOverrides, types } from 'pg';

const INT8: number = 20;
const DATE: number = 1082;
const TEXT_ARRAY: number = 1009;
const INT8_ARRAY: number = 1016;
const DATE_ARRAY: number = 1182;

/**
 * Types of returned values: bigint as number, date as 'YYYY-MM-DD', timestamptz as Date, json as its value, bytea as Buffer,
 * numeric as text. A day is never a Date, which a time zone would shift.
 */
export function valueTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(INT8, safeInteger);
  overrides.setTypeParser(DATE, (text) => text);
  // The driver's parser of text arrays splits any array and leaves the elements to us.
  const elements: (text: string) => (string | null)[] = types.getTypeParser(TEXT_ARRAY);
  overrides.setTypeParser(INT8_ARRAY, (text) =>
    elements(text).map((element) => (element === null ? null : safeInteger(element))),
  );
  overrides.setTypeParser(DATE_ARRAY, elements);
  return overrides;
}

/**
 * A bigint of PostgreSQL as a number: our counts stay far below 2^53.
 * @throws RangeError for a larger one, instead of returning a wrong number
 */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is too large for a number.`);
  return value;
}
