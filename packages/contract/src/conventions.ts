import { z } from 'zod';
import { EMAIL, LONGEST_EMAIL, tidyEmail } from './email.ts';
import { invisibleIn, nameKey, tidyName, tidySearch, tidyText } from './text.ts';

/** The one realm of a deployment (DECISIONS, Identity and tenants). */
export const REALM = 'highline';

/** The default device type of a deployment (DEV-05): one constant. */
export const DEVICE_TYPE_ID = 'highline-router';

/** Key of every organization's default group, literal (DECISIONS). */
export const DEFAULT_GROUP_KEY = 'default+group+id';
export const DEFAULT_GROUP_NAME = 'default';

/** A group's key as received: the default group's plus signs may have been read as spaces (DECISIONS, Envelopes). */
export function normalizeGroupKey(text: string): string {
  return text === DEFAULT_GROUP_KEY.replaceAll('+', ' ') ? DEFAULT_GROUP_KEY : text;
}

/** A group's key, of a query or a body. */
export const groupKey = z.string().max(100).overwrite(normalizeGroupKey);

/** A device's id, or nothing; `all_devices` is what older calls write for all of them. */
export const deviceOrAll = z
  .string()
  .max(60)
  .overwrite((text) => (text === 'all_devices' ? '' : text));

/** The most rows of one page of any list. */
export const MAX_LIMIT = 200;

/** The most devices moved in one call. */
export const MAX_MOVED = 50_000;
/** The size of that many as JSON, with reserve. */
export const MAX_MOVE_BYTES = 4 * 1_048_576;

export const anything = z.unknown();

/** The type of a file for a client that asks for exactly this one (Accept), because it knows no other for bytes. */
export const ANY_FILE = 'application/octet-stream';

// oxlint-disable-next-line no-control-regex -- control characters are exactly what a typed line must not contain
const NO_CONTROL = /^[^\u0000-\u001f\u007f]*$/u;
// oxlint-disable-next-line no-control-regex -- the same, but for tabs and line breaks
const NO_CONTROL_BUT_BREAKS = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/u;

/**
 * A text in its stored form, of at most so many characters (code points). One that is far too long is not brought into that form first,
 * and nothing after it is checked.
 */
export const limited = (max: number, tidy: (text: string) => string) =>
  z
    .string()
    .overwrite((text) => (text.length > 4 * max + 1_000 ? text : tidy(text)))
    .max(max, { error: `must have at most ${max} characters`, abort: true });

/** Typed text in its stored form. */
const typedText = (max: number, tidy: (text: string) => string, allowed: RegExp) =>
  limited(max, tidy)
    .regex(allowed, 'must not contain control characters')
    .superRefine((text, context) => {
      const found = invisibleIn(text);
      if (found !== undefined) context.addIssue(`must not contain invisible characters (${found})`);
    });

/** A line to search for; invisible characters are dropped. */
export const searchLine = (max: number) =>
  limited(max, (text) => tidySearch(text).trim()).regex(NO_CONTROL, 'must not contain control characters');

/** One line typed by a user: trimmed, limited, no control characters and no invisible ones. */
export const line = (max: number) => typedText(max, tidyText, NO_CONTROL);

/** The same for a name, where several blanks count as one. */
export const typedName = (max: number) => typedText(max, tidyName, NO_CONTROL);

export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 32;
/** Tags of a device, an organization or a group; one that is named twice, in whatever case, counts once. */
export const tags = z.array(typedName(MAX_TAG_LENGTH).min(1)).max(MAX_TAGS, `must be at most ${MAX_TAGS}`).overwrite(uniqueTags);

/** Tags without those that differ from an earlier one in case only. */
export function uniqueTags(all: readonly string[]): string[] {
  return [...Map.groupBy(all, (tag) => nameKey(tag)).values()].map(([first]) => first!);
}

/** Whether no character of a text from a file was lost: half of a picture, or a byte in another encoding than UTF-8. */
export const isWhole = (text: string) => !/[\u0080-\u009f\ufffd]/u.test(text.toWellFormed());

/** Text of several lines: tabs and line breaks stay. A form sends each break as two characters; it is stored as one. */
export const paragraph = (max: number) =>
  typedText(max, (text) => tidyText(text.replaceAll('\r\n', '\n')), NO_CONTROL_BUT_BREAKS);

export const email = limited(LONGEST_EMAIL, tidyEmail).regex(EMAIL, 'is not an e-mail address');

/** An address that is stored already, perhaps since before addresses were checked as now. */
export const storedEmail = limited(LONGEST_EMAIL, tidyEmail);

/** Language of a mail or a file. */
export const language = z.enum(['en-US', 'zh-TW']).optional();
export type Language = NonNullable<z.infer<typeof language>>;

/** Query fields of every call of the data service. */
export const tenantQuery = z.object({ realm: z.string().optional(), org: z.string().optional() });
/** The same fields in a body. */
export const tenantBody = z.object({ realm: z.string().optional(), org: z.string().optional() });

/** The format of a file: CSV, or an Excel workbook with numbers and days as such. */
export const fileFormat = z.enum(['csv', 'xlsx']).optional();
export type FileFormat = NonNullable<z.infer<typeof fileFormat>>;

/**
 * The columns of an exported file: ids of the list's columns, separated by commas, in their order. Without it the file has the usual
 * ones (BLK-05).
 */
export const columnsOf = (ids: readonly string[]) =>
  z
    .string()
    .max(1_000)
    .refine(
      (text) => {
        const named = text.split(',');
        return named.every((id) => ids.includes(id)) && new Set(named).size === named.length;
      },
      `must name columns of the list, each once: ${ids.join(', ')}`,
    )
    .meta({ description: `Columns, separated by commas, each once: ${ids.join(', ')}`, examples: [ids.slice(0, 2).join(',')] })
    .optional();

/** The most rows that an export can name. */
export const MAX_NAMED_ROWS = 200;

/** Ids of the rows to export, separated by commas: those of them that also match the filters (BLK-01). */
export const onlyRows = z
  .string()
  .max(MAX_NAMED_ROWS * 40)
  .refine((text) => text.split(',').length <= MAX_NAMED_ROWS, `must be at most ${MAX_NAMED_ROWS} ids`)
  .optional();

const count = z.coerce.number().int().min(0);

/**
 * Paging of a list call. Without `limit` the whole list is streamed, as in the spec; with it the response has `total`. `cursor`
 * comes from the previous answer (`next`, `previous`); `offset` jumps to a page.
 */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).optional(),
  offset: count.optional(),
  cursor: z.string().max(2_000).optional(),
  /** Column, with a leading `-` for descending. */
  sort: z.string().max(60).optional(),
  /** Case-sensitive substring (SHR-05); composed and decomposed letters are the same. */
  search: limited(200, tidySearch).optional(),
  /** The field `search` looks in. */
  field: z.string().max(40).optional(),
  /** Ignore upper and lower case in `search`. */
  ignoreCase: z.enum(['true']).optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

/** The same for a list with one order and without a search. */
export const paging = pageQuery.pick({ limit: true, offset: true, cursor: true });

/** Sort columns of a list: each ascending, and with a leading `-` descending. */
export const sortOf = <T extends string>(columns: readonly T[]) =>
  z.enum(columns.flatMap((column) => [column, `-${column}` as const])).optional();

/** How many were deleted. */
export const deletion = z.object({ result: z.object({ deleted: z.number().int() }) });

/**
 * A list's response: the page, the number of all that match, its start, also after
 * `cursor` or `around`, and the cursors of the adjacent pages.
 */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    result: z.array(item),
    total: z.number().int().optional(),
    offset: z.number().int().optional(),
    next: z.string().nullable().optional(),
    previous: z.string().nullable().optional(),
  });

/** The same in the account service's form. */
export const accountPageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    result: z.object({ list: z.array(item) }),
    total: z.number().int().optional(),
    offset: z.number().int().optional(),
    next: z.string().nullable().optional(),
    previous: z.string().nullable().optional(),
  });

/** `MM/DD/YYYY`, a day that exists; the value stays text (a date without time is never shifted). */
export const calendarDate = z
  .string()
  .trim()
  .regex(/^(0[1-9]|1[0-2])\/(0[1-9]|[12]\d|3[01])\/(19|20|21)\d{2}$/u, 'must be a date as MM/DD/YYYY')
  .refine((text) => {
    const [month, day, year] = text.split('/').map(Number) as [number, number, number];
    const date = new Date(Date.UTC(year, month - 1, day));
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  }, 'is not a valid calendar day');

/** The error in every failed answer, in addition to its HTTP status (DECISIONS, Envelopes). */
export const failure = z.object({
  error: z.object({
    code: z.number(),
    key: z.string(),
    message: z.string(),
    field: z.string().optional(),
    reason: z.string().optional(),
    detail: z.unknown().optional(),
  }),
});
export type Failure = z.infer<typeof failure>;
