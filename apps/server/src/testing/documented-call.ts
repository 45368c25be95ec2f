import { REALM } from '@highline/contract';
import { afterAll, beforeAll, expect } from 'vitest';
import { formOf } from './call.ts';
import { inject, type Method } from './inject.ts';
import { startTestServer, type TestServer } from './server.ts';
import { buildTenants, type Tenant, type Tenants } from './tenants.ts';

/**
 * An API call as documented in the product spec, written out by hand: method, path, payload and answer are not derived from the
 * contract, so that an error in the contract shows (API-01, API-02, API-03).
 */
export interface PrintedCall {
  /** Begins with its method. */
  readonly call: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`;
  /** The path with the ids of the tenant; default: as in `call`. */
  readonly path?: (tenant: Tenant) => string;
  /** Its key in the OpenAPI document; default: the path of `call`. */
  readonly documentedAs?: string;
  readonly as: 'main' | 'admin' | 'user';
  /** A role of the same organization without permission. */
  readonly notAs?: 'admin' | 'user' | 'main';
  /** Default: JSON. */
  readonly encoding?: 'form' | 'multipart';
  readonly payload?: (tenant: Tenant) => object;
  /** The file of a multipart call, in this field. */
  readonly file?: { readonly field: string; readonly name: string; readonly text: (tenant: Tenant) => string };
  /** Prerequisites of the call. */
  readonly prepare?: (tenant: Tenant) => Promise<unknown>;
  /** The documented part of the response. */
  readonly response: (tenant: Tenant) => unknown;
  /** Payload or path that is rejected with a clear message. */
  readonly rejected?: {
    readonly payload?: (tenant: Tenant) => object;
    readonly path?: (tenant: Tenant) => string;
    /** The field named by the failure; left out when the failure concerns the whole call. */
    readonly field?: string;
    readonly status?: number;
    readonly error?: object;
  };
  /** Whether it names an organization or account that another main account may not access. */
  readonly names?: true;
}

interface PrintedResponse {
  readonly status: number;
  readonly body: { readonly error?: { readonly message: string; readonly field?: string; readonly code: number } };
}

/** The paths of the OpenAPI document, each with its methods. */
type DocumentedPaths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Test environment of a file of documented calls; filled in before its first test. */
interface ExampleServer {
  server: TestServer;
  tenants: Tenants;
  documented: DocumentedPaths;
}

/** A whole server for the tests of one file, with tenants to call as. */
export function openExampleServer(): ExampleServer {
  const fixture = {} as ExampleServer;
  beforeAll(async () => {
    fixture.server = await startTestServer();
    fixture.tenants = await buildTenants(fixture.server.seeding);
    const { json } = await inject(fixture.server, 'GET', '/openapi.json');
    fixture.documented = (json as { paths: DocumentedPaths }).paths;
  });
  afterAll(() => fixture.server.close());
  return fixture;
}

/**
 * Check everything that holds for a documented call: it is in OpenAPI; without a bearer or with an unknown one it answers 401;
 * with too low a role 403; callers of another main account are rejected and read nothing; another realm answers 404; bad input is
 * named.
 * @returns the response for a permitted caller
 */
async function callAsPrinted(
  { server, tenants, documented }: ExampleServer,
  one: PrintedCall,
  tenant: Tenant,
): Promise<PrintedResponse> {
  const { foreign } = tenants;
  await one.prepare?.(tenant);
  const ask = (bearer: string | undefined, path?: string, payload?: object) => send(server, one, tenant, bearer, path, payload);
  expect(documented[one.documentedAs ?? pathOf(one).split('?')[0]!], 'documented in OpenAPI').toHaveProperty(
    methodOf(one).toLowerCase(),
  );

  expect(await ask(undefined)).toMatchObject({ status: 401, body: { error: { message: 'Access token not found' } } });
  expect(await ask('never-issued')).toMatchObject({ status: 401, body: { error: { message: 'Auth token timeout.' } } });
  if (one.notAs !== undefined)
    expect(await ask(tenant.bearers[one.notAs])).toMatchObject({
      status: 403,
      body: { error: { message: 'Permission denied' } },
    });
  if (one.names)
    for (const bearer of [foreign.bearers.main, foreign.bearers.admin]) {
      const { status, body } = await ask(bearer);
      expect([403, 404], JSON.stringify(body)).toContain(status);
      expect(JSON.stringify(body)).not.toContain(tenant.name);
    }
  if (saysRealm(one, tenant)) {
    const path = pathOf(one, tenant).replace(`realm=${REALM}`, 'realm=elsewhere');
    const payload = one.payload && { ...one.payload(tenant), realm: 'elsewhere' };
    expect(await ask(tenant.bearers[one.as], path, payload), 'in another realm').toMatchObject({ status: 404 });
  }
  if (one.rejected !== undefined) {
    const { payload, path, field, status: expected = 400, error } = one.rejected;
    const { status, body } = await ask(tenant.bearers[one.as], path?.(tenant), payload?.(tenant));
    expect([status, body.error?.field], JSON.stringify(body)).toEqual([expected, field]);
    expect(body.error).toMatchObject({ code: expect.any(Number), message: expect.any(String), ...error });
  }
  return ask(tenant.bearers[one.as]);
}

/** The answer to a call as a separate tenant, so that changes of other calls do not show, and the documented one. */
export async function responsesOf(fixture: ExampleServer, one: PrintedCall): Promise<readonly [PrintedResponse, unknown]> {
  const tenant = await fixture.tenants.another();
  return [
    await callAsPrinted(fixture, one, tenant),
    { status: 200, body: expect.objectContaining(one.response(tenant) as object) },
  ];
}

const saysRealm = (one: PrintedCall, tenant: Tenant) =>
  pathOf(one, tenant).includes(`realm=${REALM}`) || 'realm' in (one.payload?.(tenant) ?? {});

const methodOf = ({ call }: PrintedCall) => call.slice(0, call.indexOf(' ')) as Method;

const pathOf = ({ call, path }: PrintedCall, tenant?: Tenant) =>
  tenant === undefined || path === undefined ? call.slice(call.indexOf(' ') + 1) : path(tenant);

async function send(
  server: TestServer,
  one: PrintedCall,
  tenant: Tenant,
  bearer: string | undefined,
  path = pathOf(one, tenant),
  payload = one.payload?.(tenant),
): Promise<PrintedResponse> {
  const { status, text } = await inject(server, methodOf(one), path, {
    ...(bearer !== undefined && { as: { sessionId: bearer } }),
    headers: { accept: 'application/json', ...contentType(one) },
    ...(payload !== undefined && { body: bodyOf(one, tenant, payload) }),
  });
  return { status, body: JSON.parse(text) as PrintedResponse['body'] };
}

/** The documented clients send the JSON content type even without a body; a form with a file sets its own boundary. */
function contentType({ encoding }: PrintedCall): Record<string, string> {
  if (encoding === 'multipart') return {};
  return { 'content-type': encoding === 'form' ? 'application/x-www-form-urlencoded' : 'application/json' };
}

function bodyOf({ encoding, file }: PrintedCall, tenant: Tenant, payload: object): string | FormData {
  if (encoding === 'form') return new URLSearchParams(payload as Record<string, string>).toString();
  if (encoding !== 'multipart') return JSON.stringify(payload);
  return formOf(payload as Record<string, string>, file && { field: file.field, name: file.name, contents: file.text(tenant) });
}
