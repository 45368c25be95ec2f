import { withoutReferences } from '@highline/contract/openapi-references';
import type { Tenant } from '@highline/testkit/tenants';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Report } from './report.ts';
import type { Subject } from './subject.ts';
import type { Stage } from './stage.ts';

type Json = Readonly<Record<string, unknown>>;
type Contents = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  readonly example: unknown;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required: boolean; readonly content: Contents };
  readonly responses: Readonly<Record<'200' | 'default', { readonly content: Contents }>>;
}

/** The published description, and nothing else that we know about the calls. */
export interface Description {
  readonly operations: readonly Operation[];
  /** What is wrong with a response, by the description; undefined = nothing. */
  faultOf(id: string, response: { readonly status: number; readonly type: string; readonly text: string }): string | undefined;
}

/** Read the description as a client would. */
export async function readDescription(url: string): Promise<Description> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Json;
  const paths = withoutReferences(document['paths'], document) as Record<string, Record<string, Json>>;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): Operation => ({
      id: String(call['operationId']),
      method: method.toUpperCase(),
      path,
      description: String(call['description']),
      parameters: (call['parameters'] ?? []) as Parameter[],
      ...(call['requestBody'] === undefined ? {} : { body: call['requestBody'] as NonNullable<Operation['body']> }),
      responses: call['responses'] as Operation['responses'],
    })),
  );
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const compiled = new Map<string, ValidateFunction>();
  return {
    operations,
    faultOf(id, { status, type, text }) {
      // It leads a browser elsewhere, without a body.
      if (status === 303) return undefined;
      const { content } = byId.get(id)!.responses[status === 200 ? '200' : 'default'];
      const named = type.split(';')[0]!.trim();
      const media = content[named];
      if (media === undefined) return `answers ${status} with ${named === '' ? 'no type' : named}`;
      if (named !== 'application/json') return undefined;
      const key = status === 200 ? id : 'default';
      const validate = compiled.get(key) ?? ajv.compile(closed(media.schema) as Json);
      compiled.set(key, validate);
      if (validate(JSON.parse(text))) return undefined;
      const [first] = validate.errors ?? [];
      return `answers ${status} with ${first?.instancePath ?? ''} that ${first?.message ?? 'differs'} ${JSON.stringify(first?.params)}`;
    },
  };
}

/** A response has no field that the description does not name, in one spelling or another. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { discriminator: _, ...own } = schema as Json;
  const inner = Object.fromEntries(Object.entries(own).map(([name, part]) => [name, name === 'enum' ? part : closed(part)]));
  const properties = inner['properties'] as Record<string, Json> | undefined;
  if (properties === undefined) return inner;
  const others = Object.values(properties).flatMap((field) => (field['x-also-named'] ?? []) as string[]);
  const all = { ...properties, ...Object.fromEntries(others.map((name) => [name, {}])) };
  return { additionalProperties: false, ...inner, properties: all };
}

interface Sent {
  readonly query?: Readonly<Record<string, unknown>>;
  /** Undefined: none at all. */
  readonly body?: Json | undefined;
  readonly isAgain?: boolean;
}

interface Attempt {
  readonly status: number;
  readonly text: string;
}

/** Calls that end the caller's own session or change its password come last. */
const LAST = /signOut|endSession|password|setUp|secondFactor|organizations\.delete|visits\./iu;

/**
 * Proves from the published description alone, for each call: its examples are accepted as they stand (an id of nothing is a 404);
 * what it says is needed is needed, and its absence is rejected; the longest values of all parameters fit one request; and every
 * answer is of a type and shape that it names.
 */
export async function proveDescription(subject: Subject, report: Report, stage: Stage): Promise<void> {
  const description = await readDescription(subject.url);
  const ordered = description.operations.toSorted((a, b) => Number(LAST.test(a.id)) - Number(LAST.test(b.id)));
  const attempt = async (operation: Operation, sent: Sent): Promise<Attempt> => {
    const tenant = await stage.tenant();
    const response = await sendTo(subject, operation, tenant, sent);
    const { status, type, text, ms } = response;
    report.responded(status, ms, operation.id);
    report.count('requests made from the description alone');
    const fault = description.faultOf(operation.id, { status, type, text });
    if (fault !== undefined) report.find('description', `${operation.id} ${fault}`);
    // A call before it ended the session.
    if (status === 401 && isSecured(operation)) await stage.renew(tenant, 0);
    return status === 401 && isSecured(operation) && sent.isAgain !== true
      ? attempt(operation, { ...sent, isAgain: true })
      : response;
  };
  for (const operation of ordered) {
    if (operation.responses['200'].content['text/event-stream'] !== undefined) continue;
    for (const fault of await faultsOfOperation(operation, (sent) => attempt(operation, sent)))
      report.find('description', `${operation.id}: ${fault}`);
    const list = description.operations.find(({ method, path }) => method === 'GET' && path === operation.path);
    for (const fault of await faultsOfReading(
      operation,
      (sent) => attempt(operation, sent),
      list && ((sent) => attempt(list, sent)),
    ))
      report.find('description', `${operation.id}: ${fault}`);
  }
}

/** What an example names is not there: as good as a 404. */
const ABSENT = /not found|no longer exists|no router has reported|None of the rows could be added/u;
const isRejected = ({ status, text }: Attempt) => [400, 413, 414, 415, 431].includes(status) && !ABSENT.test(text);
/** Which tenant a call is about: examples name none that exists. */
const isTenant = (name: string) => name === 'org' || name === 'realm';

async function faultsOfOperation(operation: Operation, attempt: (sent: Sent) => Promise<Attempt>): Promise<string[]> {
  const { body, parameters } = operation;
  const media = Object.values(body?.content ?? {})[0];
  const example = media?.example as Json | undefined;
  const isMultipart = body?.content['multipart/form-data'] !== undefined;
  // The bytes of an image or of a picture cannot be printed as an example.
  const isOfBytes = isMultipart && typeof example?.['file'] === 'string' && example['file'].startsWith('(');
  const query = parameters.filter((each) => each.in === 'query' && !isTenant(each.name));
  const required = Object.fromEntries(query.filter((each) => each.required).map(({ name, example: value }) => [name, value]));
  const faults: string[] = [];
  const say = (fault: string, { text }: Partial<Attempt> = {}) =>
    faults.push(`${fault}${text === undefined ? '' : `: ${/"message":"([^"]*)"/u.exec(text)?.[1] ?? text.slice(0, 200)}`}`);

  const plain = await attempt({ query: required, body: example });
  if (!isOfBytes && isRejected(plain)) say('its example is rejected', plain);
  // Opaque texts of a response have no example. All of the others at once, and one by one where that is rejected.
  const optional = query
    .filter((each) => each.name !== 'cursor' && !each.required)
    .map(({ name, example: value }) => [name, value] as const);
  const together = { ...required, ...Object.fromEntries(optional) };
  if (optional.length > 0 && !isRejected(plain) && isRejected(await attempt({ query: together, body: example })))
    for (const [name, value] of optional) {
      const response = await attempt({ query: { ...required, [name]: value }, body: example });
      if (isRejected(response)) say(`the example of its parameter ${name} is rejected`, response);
    }
  for (const name of Object.keys(required))
    if (!isRejected(await attempt({ query: { ...required, [name]: undefined }, body: example })))
      say(`its parameter ${name} is not required`);
  const longest = Object.fromEntries(query.map(({ name, schema }) => [name, '0'.repeat(Number(schema['maxLength'] ?? 40))]));
  if (query.some(({ schema }) => 'maxLength' in schema) && (await attempt({ query: longest, body: example })).status === 431)
    say('its parameters have limits that cannot be reached together');
  if (body === undefined) return faults;

  const withoutBody = await attempt({ query: required });
  if (body.required && !isRejected(withoutBody)) say('its body is not required');
  if (!body.required && isRejected(withoutBody)) say('its body is required, and not said to be', withoutBody);
  for (const name of (media!.schema['required'] ?? []) as string[])
    if (!isRejected(await attempt({ query: required, body: { ...example, [name]: undefined } })))
      say(`its field ${name} is not required`);
  return faults;
}

/** What is accepted reads back as it was sent: in the response, and in the list at the same address; numbers with all their decimals. */
async function faultsOfReading(
  { method, body, parameters }: Operation,
  attempt: (sent: Sent) => Promise<Attempt>,
  list: ((sent: Sent) => Promise<Attempt>) | undefined,
): Promise<string[]> {
  const media = body?.content['application/json'];
  if (media === undefined || method === 'DELETE' || parameters.some((each) => each.in === 'query' && each.required)) return [];
  const fields = (media.schema['properties'] ?? {}) as Record<string, Json>;
  const finest = Object.entries(fields).filter(([, { type, enum: values }]) => type === 'number' && values === undefined);
  const example = media.example as Json;
  const named = 'name' in example ? { name: 'Reads back' } : {};
  const sent = { ...example, ...named, ...Object.fromEntries(finest.map(([name]) => [name, 0.123456789])) };
  const response = await attempt({ body: sent });
  if (response.status !== 200) return [];
  const { result } = JSON.parse(response.text) as { result?: Json };
  const id = result?.['id'] ?? result?.['pk'];
  const rows = id === undefined || list === undefined ? [] : rowsOf(await list({}));
  const read = [result, ...rows.filter((row) => (row['id'] ?? row['pk']) === id)];
  return read.flatMap((row) =>
    Object.entries(sent)
      .filter(
        ([name, value]) =>
          !isTenant(name) && ['string', 'number', 'boolean'].includes(typeof value) && typeof row?.[name] === typeof value,
      )
      .filter(([name, value]) => comparable(fields[name], row![name]) !== comparable(fields[name], value))
      .map(
        ([name, value]) =>
          `its field ${name} was accepted as ${JSON.stringify(value)} and reads back as ${JSON.stringify(row![name])}`,
      ),
  );
}

/** A moment may be written with other zeros. */
const comparable = (field: Json | undefined, value: unknown): unknown =>
  field?.['format'] === 'date-time' ? Date.parse(String(value)) : value;

function rowsOf({ status, text }: Attempt): readonly Json[] {
  if (status !== 200) return [];
  const { result } = JSON.parse(text) as { result?: unknown };
  return Array.isArray(result) ? (result as Json[]) : [];
}

async function sendTo(
  { url }: Subject,
  operation: Operation,
  tenant: Tenant,
  { query = {}, body }: Sent,
): Promise<{ status: number; type: string; text: string; ms: number }> {
  const inPath = new Map(
    operation.parameters.filter((each) => each.in === 'path').map(({ name, example }) => [name, String(example)]),
  );
  const path = operation.path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ''));
  const address = new URL(path, url);
  const needsOrganization = roleOf(operation) === 'main' && operation.parameters.some(({ name }) => name === 'org');
  if (needsOrganization) address.searchParams.set('org', tenant.organizationId);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, textOf(value));
  const encoded =
    body === undefined ? undefined : encode(operation, 'org' in body ? { ...body, org: tenant.organizationId } : body);
  const began = performance.now();
  const response = await fetch(address, {
    method: operation.method,
    headers: {
      ...(isSecured(operation) ? { authorization: `Bearer ${tenant.bearers[roleOf(operation)]}` } : {}),
      ...(typeof encoded === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    ...(encoded === undefined ? {} : { body: encoded }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type') ?? '', text, ms: performance.now() - began };
}

const isSecured = ({ description }: Operation) => /Roles:/u.test(description);
const roleOf = ({ description }: Operation) => (/Roles:.*\badmin\b/u.test(description) ? 'admin' : 'main');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function encode({ body }: Operation, fields: Json): string | URLSearchParams | FormData {
  const type = Object.keys(body!.content)[0];
  if (type === 'application/json') return JSON.stringify(fields);
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const texts = given.map(([name, value]) => [name, textOf(value)] as [string, string]);
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(texts);
  const form = new FormData();
  for (const [name, text] of texts) if (name !== 'file') form.append(name, text);
  const file = texts.find(([name]) => name === 'file');
  if (file !== undefined) form.append('file', new File([file[1]], 'example.csv'));
  return form;
}
