import { findSub } from './attribute-paths.ts';
import type { Attribute } from './attributes.ts';
import type { Effort } from './effort.ts';
import { type Operator, type Literal, type Filter, isRecord } from './stored-values.ts';
import type { AttributePath } from './schemas.ts';

/** What a value costs besides its characters. */
const EFFORT_OF_VALUE = 50;

/** Whether a resource fits a filter. @throws ScimFailure `tooMany` when the effort is used up */
export function matches(filter: Filter, resource: Readonly<Record<string, unknown>>, effort: Effort): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => matches(part, resource, effort));
    case 'or':
      return filter.parts.some((part) => matches(part, resource, effort));
    case 'not':
      return !matches(filter.part, resource, effort);
    case 'some':
      return valuesAt(filter.path, resource, effort).some((value) => isRecord(value) && matches(filter.filter, value, effort));
    case 'present':
      return valuesAt(filter.path, resource, effort).some((value) => isPresent(value));
    case 'compare':
      return compareAll(filter, resource, effort);
  }
}

function compareAll(
  { path, operator, literal }: Filter & { readonly kind: 'compare' },
  resource: Readonly<Record<string, unknown>>,
  effort: Effort,
): boolean {
  const compared = comparedAttribute(path);
  const values = valuesAt({ ...path, sub: compared === path.attribute ? undefined : compared }, resource, effort);
  const isIt = (by: Operator) => (value: unknown) => {
    if (typeof value === 'string' && typeof literal === 'string') effort.spend(value.length + literal.length);
    return literal !== null && compare(compared, by, value, literal);
  };
  if (literal === null) return values.every((value) => value === null) === (operator === 'eq');
  // Nothing is not equal to any value.
  if (operator === 'ne') return !values.some(isIt('eq'));
  return values.some(isIt(operator));
}

/** `emails co "x"` means the value of each. */
function comparedAttribute({ attribute, sub }: AttributePath): Attribute {
  if (sub !== undefined || attribute.type !== 'complex') return sub ?? attribute;
  return findSub(attribute, 'value') ?? attribute;
}

function compare({ type, caseExact }: Attribute, operator: Operator, value: unknown, literal: NonNullable<Literal>): boolean {
  if (type === 'boolean')
    return operator === 'eq' && value === (typeof literal === 'string' ? literal.toLowerCase() === 'true' : literal);
  if (typeof value !== 'string' || typeof literal !== 'string') return false;
  if (type === 'dateTime') return order(operator, Date.parse(value), Date.parse(literal));
  const [left, right] = caseExact === true ? [value, literal] : [value.toLowerCase(), literal.toLowerCase()];
  if (operator === 'co') return left.includes(right);
  if (operator === 'sw') return left.startsWith(right);
  if (operator === 'ew') return left.endsWith(right);
  return order(operator, left, right);
}

function order<T extends string | number>(operator: Operator, left: T, right: T): boolean {
  if (operator === 'eq') return left === right;
  if (operator === 'gt') return left > right;
  if (operator === 'ge') return left >= right;
  if (operator === 'lt') return left < right;
  return operator === 'le' && left <= right;
}

/** What is at a place: each value of a list for itself. */
function valuesAt(
  { extension, attribute, sub }: AttributePath,
  resource: Readonly<Record<string, unknown>>,
  effort: Effort,
): unknown[] {
  const home = extension === undefined ? resource : resource[extension];
  const value = isRecord(home) ? home[attribute.name] : undefined;
  const values = [value].flat().filter((each) => each !== undefined);
  effort.spend(EFFORT_OF_VALUE * (1 + values.length));
  if (sub === undefined) return values;
  return values.flatMap((each) => (isRecord(each) && each[sub.name] !== undefined ? [each[sub.name]] : []));
}

const isPresent = (value: unknown): boolean =>
  value !== null && value !== '' && !(isRecord(value) && Object.keys(value).length === 0);
