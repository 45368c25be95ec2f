import { appendFileSync } from 'node:fs';
import { Client } from 'pg';

/** A type of a value as the driver returns it; `json` is what no statement says more about. */
export type Kind =
  | 'string'
  | 'number'
  | 'boolean'
  | 'date'
  | 'bytes'
  | 'null'
  | 'object'
  | 'unknown'
  | { readonly array: readonly Kind[] };

/** The rows that a statement is claimed to return. */
export interface RowClaim {
  /** File and line of the claim. */
  readonly site: string;
  readonly columns: Readonly<Record<string, readonly Kind[]>>;
  /** Columns that some rows do not have. */
  readonly optional: readonly string[];
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

const JSON_TYPES = new Set([114, 3802]);
const KINDS: Readonly<Record<number, Kind>> = {
  16: 'boolean',
  17: 'bytes',
  20: 'number',
  21: 'number',
  23: 'number',
  26: 'number',
  700: 'number',
  701: 'number',
  1114: 'date',
  1184: 'date',
  114: 'unknown',
  3802: 'unknown',
  199: { array: ['unknown'] },
  3807: { array: ['unknown'] },
  1000: { array: ['boolean'] },
  1001: { array: ['bytes'] },
  1005: { array: ['number'] },
  1007: { array: ['number'] },
  1016: { array: ['number'] },
  1021: { array: ['number'] },
  1022: { array: ['number'] },
  1231: { array: ['number'] },
  1185: { array: ['date'] },
  1009: { array: ['string'] },
  1015: { array: ['string'] },
  1182: { array: ['string'] },
  2951: { array: ['string'] },
};

/** What PostgreSQL says of results, by their array of rows. */
const described = new WeakMap<object, readonly Field[]>();
const { query } = Client.prototype as unknown as { query(...args: unknown[]): unknown };
(Client.prototype as unknown as { query: typeof query }).query = function describing(this: Client, ...args) {
  const result = query.apply(this, args);
  if (!(result instanceof Promise)) return result;
  return result.then((value: unknown) => {
    for (const one of [value].flat() as { rows?: object; fields?: readonly Field[] }[])
      if (one?.rows !== undefined && one.fields !== undefined) described.set(one.rows, one.fields);
    return value;
  });
};

const seen = new Set<string>();
/** Note that a statement was executed, for `findUncheckedClaims`. */
function note(site: string): void {
  if (seen.has(site)) return;
  seen.add(site);
  appendFileSync(process.env['HIGHLINE_TEST_CLAIMS']!, `${site}\n`);
}

const show = (kinds: readonly Kind[]): string =>
  kinds.map((kind) => (typeof kind === 'string' ? kind : `(${show(kind.array)})[]`)).join(' | ');

function accepts(claimed: readonly Kind[], kind: Kind): boolean {
  if (claimed.includes('unknown') || kind === 'unknown') return true;
  return claimed.some((one) => {
    if (typeof one === 'string' || typeof kind === 'string') return one === kind;
    return kind.array.every((element) => accepts(one.array, element));
  });
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null';
  if (value instanceof Date) return 'date';
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return { array: [...new Set(value.map((one) => kindOf(one)))] };
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' || kind === 'object' ? kind : 'unknown';
}

/** What is wrong with a claim. @param fields what PostgreSQL says of the columns, where that is known */
export function mistakesOf(claim: RowClaim, rows: readonly object[], fields: readonly Field[] | undefined): string[] {
  const mistakes = new Set<string>();
  const compare = (column: string, kind: Kind): void => {
    const claimed = claim.columns[column];
    if (claimed !== undefined && !accepts(claimed, kind))
      mistakes.add(`${claim.site}: column "${column}" is claimed as ${show(claimed)}, PostgreSQL returns ${show([kind])}`);
  };
  for (const { name, dataTypeID } of fields ?? [])
    if (claim.columns[name]?.some((kind) => kind !== 'null') === true) compare(name, KINDS[dataTypeID] ?? 'string');
  const json = new Set(fields?.filter(({ dataTypeID }) => JSON_TYPES.has(dataTypeID)).map(({ name }) => name));
  for (const row of rows)
    for (const [column, value] of Object.entries(row)) if (value === null || !json.has(column)) compare(column, kindOf(value));
  const returned = fields?.map(({ name }) => name) ?? (rows[0] === undefined ? undefined : Object.keys(rows[0]));
  for (const column of Object.keys(claim.columns))
    if (returned !== undefined && !returned.includes(column) && !claim.optional.includes(column))
      mistakes.add(`${claim.site}: column "${column}" is claimed and not returned`);
  return [...mistakes];
}

function check(claim: RowClaim, rows: readonly object[]): void {
  const mistakes = mistakesOf(claim, rows, described.get(rows));
  note(claim.site);
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'));
}

async function checked(claim: RowClaim, result: Promise<unknown>): Promise<unknown> {
  const value = await result;
  const rows = Array.isArray(value) ? value : (value as { rows?: unknown }).rows;
  if (Array.isArray(rows)) check(claim, rows as object[]);
  return value;
}

async function* checkedRows(claim: RowClaim, rows: AsyncIterable<object>): AsyncGenerator<object> {
  for await (const row of rows) {
    check(claim, [row]);
    yield row;
  }
}

/** Rows of a call such as `reader.rows<Row>(…)` or `streams.open<Row>(…)`, checked as they come. */
export function checkRows<Result>(claim: RowClaim, result: Result): Result {
  if (result instanceof Promise) return checked(claim, result) as Result;
  return checkedRows(claim, result as AsyncIterable<object>) as Result;
}

/** A statement `sql<Row>`, whose rows are checked when it is executed. */
export function checkStatement<Statement extends { execute(...args: never[]): Promise<unknown> }>(
  claim: RowClaim,
  statement: Statement,
): Statement {
  const execute = statement.execute.bind(statement);
  statement.execute = (...args) => checked(claim, execute(...args));
  return statement;
}

/** A list, whose rows are checked before they are mapped. */
export function checkList<List extends { toDto(row: never, index: number): unknown }>(claim: RowClaim, list: List): List {
  return {
    ...list,
    toDto(row: never, index: number) {
      check(claim, [row]);
      return list.toDto(row, index);
    },
  };
}
