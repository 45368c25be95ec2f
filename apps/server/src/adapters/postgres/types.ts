import { TypeOverrides, types } from 'pg';

const INT8: number = 20;
const DATE: number = 1082;
const TEXT_ARRAY: number = 1009;
const INT8_ARRAY: number = 1016;
const DATE_ARRAY: number = 1182;

/**
 * How values arrive: bigint as number, date as 'YYYY-MM-DD', timestamptz as Date, json as its value, bytea as Buffer, numeric as
 * text. A day is never a Date: that would shift it by somebody's time zone.
 */
export function valueTypes(): TypeOverrides {
  const overrides = new TypeOverrides();
  overrides.setTypeParser(INT8, safeInteger);
  overrides.setTypeParser(DATE, (text) => text);
  // The driver's parser of text arrays takes any array apart and leaves the elements to us.
  const elements: (text: string) => (string | null)[] = types.getTypeParser(TEXT_ARRAY);
  overrides.setTypeParser(INT8_ARRAY, (text) =>
    elements(text).map((element) => (element === null ? null : safeInteger(element))),
  );
  overrides.setTypeParser(DATE_ARRAY, elements);
  return overrides;
}

/**
 * A bigint of PostgreSQL as a number: everything we count stays far below 2^53.
 * @throws RangeError where it does not, since a wrong number would be worse than none
 */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is too large for a number.`);
  return value;
}
