import { allOperations } from '@highline/contract/all-operations';
import { fixtures, type Request } from '@highline/testkit/calls';
import type { Tenant } from '@highline/testkit/tenants';
import * as fc from 'fast-check';
import { draw, type FuzzOptions } from './cases.ts';
import { hostileJson, hostileText } from './hostile.ts';
import type { RawRequest } from './raw-call.ts';
import type { Stage } from './stage.ts';

export type AnyOperation = (typeof allOperations)[number];

const BOUNDARY = 'fuzz';

export interface Shapes {
  readonly params: fc.Arbitrary<unknown>;
  readonly query: fc.Arbitrary<unknown>;
  readonly body: fc.Arbitrary<unknown>;
}

const kinds = fc.constantFrom('right', 'changed', 'changed', 'changed', 'shaped', 'shaped', 'any');

const changes = fc.array(fc.tuple(fc.nat(), fc.oneof(hostileText, hostileJson)), { minLength: 1, maxLength: 3 });

const texts = fc.dictionary(hostileText, hostileText, { maxKeys: 3 });

export function makeRequest(
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
