import { failures, type Role } from '@highline/contract';
import { allOperations } from '@highline/contract/all-operations';
import type { Tenant } from '@highline/testkit/tenants';
import * as fc from 'fast-check';
import { makeRequest, serialize, type AnyOperation, type Shapes } from './api-requests.ts';
import { draw, type CaseNumbers, runCases } from './cases.ts';
import { readDescription, type Description } from './description.ts';
import { proveDescription } from './documented.ts';
import { sendRaw, type RawResponse, type RawRequest } from './raw-call.ts';
import type { Report } from './report.ts';
import { shapedBy } from './shaped.ts';
import { createStage } from './stage.ts';
import type { Subject } from './subject.ts';
import { anyMutation } from './transport.ts';

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

function shapesOf({ params, query, body }: AnyOperation): Shapes {
  return { params: shapedBy(params), query: shapedBy(query), body: shapedBy(body) };
}
