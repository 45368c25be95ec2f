import { openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Client, EventCall, FileCall, JsonCall, ListCall } from '@highline/client';
import { acceptsIdempotencyKey, jsonSchemaOf, summaryOf, type JsonSchema } from '@highline/contract/openapi';
import { allOperations } from '@highline/contract/all-operations';
import type { Operation } from '@highline/contract';
import { connect, explained, originOf } from './client.ts';
import { CommandFault, UsageFault, type Say } from './command.ts';
import { saveFile } from './saved-file.ts';

/** The address of the server. */
const URL_VARIABLE = 'HIGHLINE_URL';
/** The API key; never an option, since other users of a machine see the options of programs. */
const KEY_VARIABLE = 'HIGHLINE_API_KEY';

const PARTS = ['params', 'query', 'body'] as const;
type Part = (typeof PARTS)[number];

/** Options of the command itself, before the fields of a call. */
const own = new Set(['server', 'body', 'file', 'out', 'all', 'once', 'help']);
const withoutValue = new Set(['all', 'help']);

const usage = `Usage: highline api <area> <call> [--field value …] [--body '<JSON>' | --body @file.json] [--file <path>] [--out <path>] [--all] [--once <text>]

  The server is ${URL_VARIABLE} or --server, the API key ${KEY_VARIABLE}. The answer is printed as JSON.
  --all    every row of a list, one line of JSON each
  --out    save the answer, or the file, under this name
  --once   Idempotency-Key: the same text again repeats the answer instead of the effect

  highline api              the areas
  highline api devices      the calls of an area
  highline api devices list --help   the fields of a call`;

/** Any call by API key: `highline api devices list --limit 5` (HKS-03). @throws UsageFault, CommandFault */
export async function callApi(argv: readonly string[], environment: NodeJS.ProcessEnv, say: Say): Promise<void> {
  const [area, name, ...rest] = argv;
  if (area === undefined || area.startsWith('-')) return say(`${usage}\n\nAreas: ${areas().join(', ')}`);
  const calls = allOperations.filter(({ id }) => id.startsWith(`${area}.`));
  if (calls.length === 0) throw new UsageFault(`no area '${area}'. Areas: ${areas().join(', ')}`);
  if (name === undefined || name.startsWith('-')) return calls.forEach((call) => say(oneLine(call)));
  const operation = calls.find(({ id }) => id === `${area}.${name}`);
  if (operation === undefined)
    throw new UsageFault(`no call '${area} ${name}'. Calls: ${calls.map(({ id }) => nameOf(id)).join(', ')}`);
  const options = readOptions(rest);
  if (options.has('help')) return say(explain(operation));
  const server = originOf(options.get('server') ?? environment[URL_VARIABLE] ?? missing('the server', URL_VARIABLE, '--server'));
  const key = environment[KEY_VARIABLE] ?? missing('the API key', KEY_VARIABLE);
  const input = await inputOf(operation, options);
  await explained(() => respond(connect(server, key), operation, input, options, say));
}

function missing(what: string, ...names: readonly string[]): never {
  throw new UsageFault(`${what} is missing: set ${names.join(' or ')}`);
}

const areas = () => [...new Set(allOperations.map(({ id }) => id.split('.')[0]!))].toSorted();
const nameOf = (id: string) => id.slice(id.indexOf('.') + 1);
const oneLine = (operation: Operation) => `  ${operation.id.replace('.', ' ')}\n      ${summaryOf(operation)}`;

function readOptions(argv: readonly string[]): Map<string, string> {
  const options = new Map<string, string>();
  for (let index = 0; index < argv.length; index += 1) {
    const each = argv[index]!;
    if (!each.startsWith('--') || each.length === 2) throw new UsageFault(`expected an option such as --limit, not '${each}'`);
    const [name, ...inline] = each.slice(2).split('=');
    if (options.has(name!)) throw new UsageFault(`--${name} was given twice`);
    if (withoutValue.has(name!)) options.set(name!, 'true');
    else if (inline.length > 0) options.set(name!, inline.join('='));
    else {
      index += 1;
      options.set(name!, argv[index] ?? missing(`the value of --${name}`, 'it'));
    }
  }
  return options;
}

type Fields = Readonly<Record<string, JsonSchema>>;
const fieldsOf = (operation: Operation, part: Part): Fields =>
  (jsonSchemaOf(operation[part], 'input')['properties'] ?? {}) as Fields;

/** What a call takes, from fields by name, or a whole body as JSON. */
async function inputOf(operation: Operation, options: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const input: Record<Part, Record<string, unknown>> = { params: {}, query: {}, body: await givenBody(options.get('body')) };
  for (const [name, text] of options) {
    if (own.has(name)) continue;
    const part = PARTS.find((each) => Object.hasOwn(fieldsOf(operation, each), name));
    if (part === undefined) throw new UsageFault(`no field '${name}'. See --help of this call.`);
    input[part][name] = part === 'body' ? valueOf(name, text, fieldsOf(operation, part)[name]!) : text;
  }
  const path = options.get('file');
  if (operation.bodyKind !== 'multipart') {
    if (path !== undefined) throw new UsageFault('this call takes no --file');
    return input;
  }
  if (path === undefined && operation.isFileOptional === true) return input;
  const file = path ?? missing('the file', '--file');
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new CommandFault(`${file} cannot be read.`);
  return { ...input, file: await openAsBlob(file), fileName: basename(file) };
}

async function givenBody(text: string | undefined): Promise<Record<string, unknown>> {
  if (text === undefined) return {};
  const source = text.startsWith('@') ? await readFile(text.slice(1), 'utf8').catch(unreadable(text.slice(1))) : text;
  const body: unknown = parseJson('--body', source);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new UsageFault('--body: expected a JSON object');
  return body as Record<string, unknown>;
}

const unreadable = (path: string) => (): never => {
  throw new CommandFault(`${path} cannot be read.`);
};

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageFault(`${name}: expected JSON`);
  }
}

/** Texts as they are; other values as JSON. */
function valueOf(name: string, text: string, schema: JsonSchema): unknown {
  const types = [schema['type']].flat();
  const isText = types.includes('string') || (schema['enum'] as unknown[] | undefined)?.includes(text) === true;
  if (isText) return types.includes('null') && text === 'null' ? null : text;
  // A list of texts may be given as a single one.
  if (types.includes('array') && !text.startsWith('[')) return text.split(',');
  return parseJson(`--${name}`, text);
}

async function respond(
  client: Client,
  operation: Operation,
  input: Record<string, unknown>,
  options: ReadonlyMap<string, string>,
  say: Say,
): Promise<void> {
  const id = operation.id as JsonCall;
  const given = input as never;
  const out = options.get('out');
  if (operation.sends === 'file') {
    const { body, name } = await client.download(id as unknown as FileCall, given);
    await save(body, out ?? name ?? missing('the name of the file', '--out'), say);
    return;
  }
  if (operation.sends === 'events') {
    for await (const event of client.events(id as unknown as EventCall, given)) say(JSON.stringify(event));
    return;
  }
  if (options.has('all')) {
    if (!Object.hasOwn(fieldsOf(operation, 'query'), 'cursor')) throw new UsageFault('--all: this call does not return pages');
    for await (const row of client.each(id as ListCall, given)) say(JSON.stringify(row));
    return;
  }
  const once = options.get('once');
  if (once !== undefined && !acceptsIdempotencyKey(operation))
    throw new UsageFault('--once: this call is safe to repeat without it');
  const result: unknown = await client.call(id, given, { idempotencyKey: once });
  const text = JSON.stringify(result, null, 2);
  if (out === undefined) say(text);
  else await save(new Blob([`${text}\n`]).stream(), out, say);
}

async function save(body: unknown, file: string, say: Say): Promise<void> {
  await saveFile(body, file);
  say(`Saved ${file}.`);
}

function explain(operation: Operation): string {
  const fields = PARTS.flatMap((part) => {
    const schema = jsonSchemaOf(operation[part], 'input');
    const required = new Set((schema['required'] ?? []) as string[]);
    return Object.entries(fieldsOf(operation, part)).map(
      ([name, field]) => `  --${name} ${kindOf(field)}${required.has(name) ? '  (required)' : ''}`,
    );
  });
  const isFileRequired = operation.isFileOptional !== true;
  const file = operation.bodyKind === 'multipart' ? [`  --file <path>${isFileRequired ? '  (required)' : ''}`] : [];
  return [`highline api ${operation.id.replace('.', ' ')}`, `  ${summaryOf(operation)}`, '', ...fields, ...file].join('\n');
}

function kindOf(schema: JsonSchema): string {
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) return values.length > 8 ? `<one of ${values.length}>` : values.join('|');
  const types = [schema['type'] ?? 'JSON'].flat() as string[];
  return `<${types.map((type) => (type === 'array' || type === 'object' ? 'JSON' : type)).join('|')}>`;
}
