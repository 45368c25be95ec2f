import { failures, type Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import * as fc from 'fast-check';
import { fixtures, type Request } from '@highline/testkit/calls';
import type { Tenant } from '@highline/testkit/tenants';
import { draw, type CaseNumbers, type FuzzOptions } from './cases.ts';
import { hostileJson, hostileText } from './hostile.ts';
import { sendRaw, type RawResponse, type RawRequest } from './raw-call.ts';
import type { Report } from './report.ts';
import { runCases } from './cases.ts';
import { shapedBy } from './shaped.ts';
import type { Subject } from './subject.ts';
import { createStage, type Stage } from './stage.ts';
import { anyMutation } from './transport.ts';
import { proveDescription, readDescription, type Description } from './documented.ts';

type AnyOperation = (typeof allOperations)[number];

const BOUNDARY = 'fuzz';
const WORKERS = 6;

interface Plan {
  readonly role: Role | 'key' | 'signed-out';
  /** Which tenant's ids the request uses. */
  readonly ids: 'own' | 'foreign';
  readonly parts: fc.Arbitrary<unknown>;
}

const roles = fc.constantFrom<Plan['role']>('main', 'admin', 'user', 'admin', 'main', 'key', 'signed-out');

/**
 * Every operation in turn, by every role, with requests that are valid, partly changed, generated from the schema, or arbitrary.
 */
export async function fuzzApi(subject: Subject, report: Report, numbers: CaseNumbers): Promise<void> {
  const { options } = report;
  const stage = await createStage(subject);
  const shapes = new Map(allOperations.map((operation) => [operation.id, shapesOf(operation)]));
  if (options.first === 0) await proveDescription(subject, report, stage);
  const description = await readDescription(subject.url);
  await runCases(numbers, WORKERS, async (index) => {
    const operation = allOperations[index % allOperations.length]!;
    const tenant = await stage.tenant();
    const role = draw(roles, options.seed, index);
    const request = makeRequest(operation, shapes.get(operation.id)!, stage, tenant, options, index);
    const bearer = await bearerOf(subject, tenant, role);
    const plain = serialize(operation, request, subject.port, bearer);
    const raw = draw(anyMutation, options.seed ^ 2, index)(plain);
    const response = await sendRaw(subject.port, raw, options.slowCallMs * 3);
    const what = `${role} ${raw.method} ${operation.id}`;
    checkResponse(report, response, what, index);
    const fault = raw === plain ? faultOf(description, operation.id, response) : undefined;
    if (fault !== undefined) report.find('description', `${operation.id} ${fault}`, index);
    if (!mentions(raw, stage.foreign.canaries) && mentions(response, stage.foreign.canaries))
      report.find('leak', `${what} shows another main account's data`, index);
    report.cases++;
    if (response.status === 401 && bearer !== undefined) await stage.renew(tenant);
  });
}

/** What is wrong with a response by the published description; one that was cut off is not read. */
function faultOf(description: Description, id: string, { status, head, text }: RawResponse): string | undefined {
  const type = /^content-type: *(.*)$/imu.exec(head)?.[1] ?? '';
  const isWhole =
    text.length < 200_000 &&
    !/^transfer-encoding: *chunked/imu.test(head) &&
    !type.startsWith('text/event-stream') &&
    status !== 503;
  if (status === undefined || !isWhole) return undefined;
  return description.faultOf(id, { status, type, text: Buffer.from(text, 'latin1').toString() });
}

const keys = new WeakMap<Tenant, Promise<string | undefined>>();

/** The bearer of a role; `key` is an API key with everything that an admin may allow. Undefined: none. */
function bearerOf(subject: Subject, tenant: Tenant, role: Plan['role']): string | undefined | Promise<string | undefined> {
  if (role === 'signed-out') return undefined;
  if (role !== 'key') return tenant.bearers[role];
  const made = keys.get(tenant) ?? makeKey(subject, tenant.bearers.admin);
  keys.set(tenant, made);
  return made;
}

/** @returns undefined when the admin is signed out by an earlier case */
async function makeKey({ url }: Subject, bearer: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const path = `${url}/data_manager/v1/dm/api_keys`;
  const offered = await fetch(`${path}/operations`, { headers });
  if (!offered.ok) return undefined;
  const { result } = (await offered.json()) as { result: { operations: { id: string }[] }[] };
  const operations = result.flatMap((group) => group.operations.map(({ id }) => id));
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ name: 'Fuzz', operations }) });
  return response.ok ? ((await response.json()) as { secret: string }).secret : undefined;
}

/** Check a response against the rules for every call, and count it. */
export function checkResponse(report: Report, { status, head, text, ms }: RawResponse, what: string, index: number): void {
  report.responded(status ?? 'none', ms, `${what} (case ${index})`);
  const isBackPressure = status === 503 && /^retry-after:/imu.test(head);
  if (status !== undefined && status >= 500 && !isBackPressure && !isDeclared(text) && status !== 501 && status !== 505)
    report.find('server fault', `${what} → ${status}`, index);
  if (ms > report.options.slowCallMs) report.find('slow call', `${what}: more than ${report.options.slowCallMs} ms`, index);
}

/** Whether a response is a documented failure without a fault of ours: a router that did not answer. */
function isDeclared(text: string): boolean {
  const key = /"key":"([^"]+)"/u.exec(text)?.[1] ?? '';
  return Object.hasOwn(failures, key) && key !== 'server.fault' && key !== 'server.busy';
}

function mentions(text: RawRequest | RawResponse, canaries: readonly string[]): boolean {
  const whole =
    'target' in text ? `${decode(text.target)}${JSON.stringify(text.headers)}${text.body.toString('latin1')}` : text.text;
  return canaries.some((canary) => whole.includes(canary));
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

interface Shapes {
  readonly params: fc.Arbitrary<unknown>;
  readonly query: fc.Arbitrary<unknown>;
  readonly body: fc.Arbitrary<unknown>;
}

function shapesOf({ params, query, body }: AnyOperation): Shapes {
  return { params: shapedBy(params), query: shapedBy(query), body: shapedBy(body) };
}

const kinds = fc.constantFrom('right', 'changed', 'changed', 'changed', 'shaped', 'shaped', 'any');
const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(hostileText, hostileJson)), { minLength: 1, maxLength: 3 });
const texts = fc.dictionary(hostileText, hostileText, { maxKeys: 3 });

function makeRequest(
  operation: AnyOperation,
  shapes: Shapes,
  stage: Stage,
  tenant: Tenant,
  { seed }: FuzzOptions,
  index: number,
): Request {
  const isForeign = draw(fc.nat(9), seed ^ 3, index) === 0;
  const right = fixtures[operation.id]!.make(tenant, isForeign ? stage.foreign : tenant);
  switch (draw(kinds, seed ^ 1, index)) {
    case 'right':
      return right;
    case 'changed':
      return draw(changes, seed ^ 4, index).reduce((request, [at, value]) => change(request, at, value), right);
    case 'shaped': {
      const org = { org: tenant.organizationId };
      const query = { ...org, ...(draw(shapes.query, seed ^ 5, index) as object) };
      const body = draw(shapes.body, seed ^ 6, index);
      const params = draw(shapes.params, seed ^ 7, index) as Record<string, string>;
      return { ...right, params: { ...right.params, ...params }, query: asTexts(query), body: withOrg(body, right.body) };
    }
    default:
      return { ...right, query: draw(texts, seed ^ 8, index), body: draw(hostileJson, seed ^ 9, index) };
  }
}

/** A generated body names the caller's own organization where a valid one names an organization. */
function withOrg(body: unknown, right: unknown): unknown {
  const org = (right as { org?: unknown } | undefined)?.org;
  return org !== undefined && typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, org } : body;
}

/** Replace one leaf, chosen by number, with a value. */
function change(request: Request, at: number, value: unknown): Request {
  const leaves = leavesOf(request, []);
  const path = leaves[at % Math.max(1, leaves.length)];
  return path === undefined ? { ...request, body: value } : (replaceAt(request, path, value) as Request);
}

function leavesOf(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || path.length > 12)
    return path.length > 1 ? [path] : [];
  const below = Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
  return path.length > 1 ? [path, ...below] : below;
}

function replaceAt(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  if (Array.isArray(value)) return value.map((part, index) => (String(index) === name ? replaceAt(part, rest, to) : part));
  const parts = value as Record<string, unknown>;
  return { ...parts, [name]: replaceAt(parts[name], rest, to) };
}

function asTexts(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Serialize the request without any check on our side. */
export function serialize(
  { method, path, bodyKind }: Pick<AnyOperation, 'method' | 'path' | 'bodyKind'>,
  request: Request,
  port: number,
  bearer: string | undefined,
): RawRequest {
  const params = (request.params ?? {}) as Record<string, unknown>;
  const address = path.replaceAll(/\{(\w+)\}/gu, (_, name: string) => encode(params[name] ?? ''));
  const query = Object.entries((request.query ?? {}) as Record<string, unknown>).map(
    ([name, value]) => `${encode(name)}=${encode(value)}`,
  );
  const { type, body } = bodyOf(bodyKind, request);
  return {
    method,
    target: `${address}${query.length === 0 ? '' : `?${query.join('&')}`}`.slice(0, 30_000),
    headers: [
      ['host', `127.0.0.1:${port}`],
      ['connection', 'close'],
      ...(bearer === undefined ? [] : [['authorization', `Bearer ${bearer}`] as const]),
      ...(type === undefined ? [] : [['content-type', type] as const, ['content-length', String(body.length)] as const]),
    ],
    body,
  };
}

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent((text ?? '').toWellFormed()).slice(0, 8_000);
}

function bodyOf(kind: AnyOperation['bodyKind'], { body, file }: Request): { type?: string; body: Buffer } {
  if (kind === 'none') return { body: Buffer.alloc(0) };
  if (kind === 'json') return { type: 'application/json', body: Buffer.from(JSON.stringify(body ?? {})) };
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  if (kind === 'form')
    return {
      type: 'application/x-www-form-urlencoded',
      body: Buffer.from(fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')),
    };
  const parts = fields.map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${typeof value === 'string' ? value : JSON.stringify(value)}\r\n`,
  );
  const start = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="rows.csv"\r\ncontent-type: text/csv\r\n\r\n`;
  const content = file instanceof Uint8Array ? file : typeof file === 'string' ? file : (JSON.stringify(file) ?? '');
  const pieces = [
    ...parts.map((text) => Buffer.from(text)),
    Buffer.from(start),
    Buffer.from(content as string),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ];
  return { type: `multipart/form-data; boundary=${BOUNDARY}`, body: Buffer.concat(pieces) };
}
