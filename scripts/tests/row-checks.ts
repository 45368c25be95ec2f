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

/** A column as PostgreSQL describes it. */
interface Field {
  readonly name: string;
  readonly kind: Kind;
}

/** Texts of types by their object ids: how the driver reads them says what it makes of a column. All others are texts. */
const SAMPLES: Readonly<Record<number, string>> = {
  16: 't',
  17: '\\x00',
  20: '1',
  21: '1',
  23: '1',
  26: '1',
  700: '1',
  701: '1',
  1082: '2026-01-01',
  1114: '2026-01-01 00:00:00',
  1184: '2026-01-01 00:00:00+00',
  1000: '{t}',
  1001: '{"\\\\x00"}',
  1005: '{1}',
  1007: '{1}',
  1009: '{a}',
  1015: '{a}',
  1016: '{1}',
  1021: '{1}',
  1022: '{1}',
  1182: '{2026-01-01}',
  1185: '{"2026-01-01 00:00:00+00"}',
  1231: '{1}',
  2951: '{a}',
};
/** json and jsonb, and arrays of them. */
const JSON_TYPES = new Set([114, 3802, 199, 3807]);

interface Described {
  readonly rows?: object;
  readonly fields?: readonly { readonly name: string; readonly dataTypeID: number }[];
}

/** What PostgreSQL says of results, by their array of rows; made where a claim is checked, as most results are claimed by none. */
const described = new WeakMap<object, () => readonly Field[]>();
const client = Client.prototype as unknown as {
  query(...args: unknown[]): unknown;
  getTypeParser(type: number, format: 'text'): (text: string) => unknown;
};
const { query } = client;
client.query = function describing(this: typeof client, ...args) {
  const result = query.apply(this, args);
  if (!(result instanceof Promise)) return result;
  return result.then((value: Described | readonly Described[]) => {
    for (const { rows, fields } of [value].flat())
      if (rows !== undefined && fields !== undefined) described.set(rows, () => fields.map(fieldOf(this)));
    return value;
  });
};

const fieldOf =
  (reader: typeof client) =>
  ({ name, dataTypeID }: { readonly name: string; readonly dataTypeID: number }): Field => {
    const sample = SAMPLES[dataTypeID];
    if (JSON_TYPES.has(dataTypeID)) return { name, kind: 'unknown' };
    return { name, kind: sample === undefined ? 'string' : kindOf(reader.getTypeParser(dataTypeID, 'text')(sample)) };
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
  for (const { name, kind } of fields ?? [])
    if (claim.columns[name]?.some((claimed) => claimed !== 'null') === true) compare(name, kind);
  const json = new Set(fields?.filter(({ kind }) => kind === 'unknown').map(({ name }) => name));
  for (const row of rows)
    for (const [column, value] of Object.entries(row)) if (value === null || !json.has(column)) compare(column, kindOf(value));
  const returned = fields?.map(({ name }) => name) ?? (rows[0] === undefined ? undefined : Object.keys(rows[0]));
  for (const column of Object.keys(claim.columns))
    if (returned !== undefined && !returned.includes(column) && !claim.optional.includes(column))
      mistakes.add(`${claim.site}: column "${column}" is claimed and not returned`);
  return [...mistakes];
}

function check(claim: RowClaim, rows: readonly object[]): void {
  const mistakes = mistakesOf(claim, rows, described.get(rows)?.());
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
