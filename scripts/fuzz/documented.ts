import type { Tenant } from '@highline/testkit/tenants';
import { readDescription, type Json, type Operation } from './description.ts';
import { faultsOfOperation, faultsOfReading, type Sent, type Attempt } from './documented-faults.ts';
import type { Report } from './report.ts';
import type { Stage } from './stage.ts';
import type { Subject } from './subject.ts';

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
