import { escapeLiteral, type Client, type PoolClient } from 'pg';
import type { DeviceLimit } from '../../../kernel/scope.ts';

/** Sends a statement on a connection that ends in this callback. */
type Send = (text: string, done: (error: Error | null | undefined) => void) => void;

interface LimitedSession {
  readonly limit: DeviceLimit;
  /** `own`: a transaction that was begun for single statements; `caller`: one that the caller began and ends. */
  transaction: 'none' | 'own' | 'caller';
}

const sessions = new WeakMap<Client, LimitedSession>();

const BEGINS = /^\s*(?:begin|start transaction)\b/iu;
const ENDS = /^\s*(?:commit|rollback|end|abort)\b(?! to\b)/iu;

/**
 * Until this connection is released, its statements read and write the views of the schema `limited`, in place of the tables (decisions/0149).
 * The setting belongs to a transaction, as a pooler may give the next one another session, and a released connection has nothing left of it.
 * A statement whose limit could not be set fails.
 */
export function limitSession(client: PoolClient & Client, limit: DeviceLimit, send: Send): void {
  const session: LimitedSession = { limit, transaction: 'none' };
  sessions.set(client, session);
  const release = client.release.bind(client);
  const end = (error?: Error | boolean) => {
    sendAtOnce(client, false);
    release(error);
  };
  client.release = (error) => {
    sessions.delete(client);
    // The pool passes null where nothing failed.
    if (session.transaction === 'none' || Boolean(error)) return end(error);
    // Of a caller that did not end its own, nothing is kept.
    send(session.transaction === 'own' ? 'commit' : 'rollback', (failure) => end(failure ?? undefined));
  };
}

/**
 * Whether statements of a connection are sent without waiting for those before them. What sets the limit and the first statement go together then: waiting
 * would take a way there and back of its own. No stream can be read so; those begin a transaction themselves.
 */
export function sendAtOnce(client: Client, isOn: boolean): void {
  (client as { pipeline: boolean }).pipeline = isOn;
}

/** What is sent around a statement of a limited connection; undefined on any other. */
export function stepsAround(client: Client, query: unknown): { readonly before?: string; readonly after?: string } | undefined {
  const session = sessions.get(client);
  if (session === undefined) return undefined;
  const text = textOf(query);
  if (BEGINS.test(text)) {
    const before = session.transaction === 'own' ? 'commit' : undefined;
    session.transaction = 'caller';
    return { ...(before === undefined ? {} : { before }), after: enterText(session.limit) };
  }
  if (ENDS.test(text)) session.transaction = 'none';
  else if (session.transaction === 'none') {
    session.transaction = 'own';
    return { before: `begin; ${enterText(session.limit)}` };
  }
  return {};
}

/** The name of a prepared statement: one plan reads the tables and another the views, or each change between them would plan it again. */
export function limitedName(client: Client, name: string): string {
  const session = sessions.get(client);
  if (session === undefined) return name;
  return `${session.limit.tags.length === 0 ? 'by-group' : 'limited'}-${name}`;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { text } = (query ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? text : '';
}

/** What `limited.enter` does, as settings: a function would be planned for each statement. */
function enterText({ accountId, organizationId, groups, tags }: DeviceLimit): string {
  const settings: Readonly<Record<string, string>> = {
    'highline.account': escapeLiteral(accountId),
    'highline.organization': escapeLiteral(organizationId),
    'highline.groups': arrayText(groups),
    'highline.tags': arrayText(tags),
    search_path: `${tags.length === 0 ? 'limited_by_group' : 'limited'}, public, pg_temp`,
  };
  return Object.entries(settings)
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ');
}

function arrayText(texts: readonly string[]): string {
  return escapeLiteral(`{${texts.map((text) => `"${text.replaceAll(/["\\]/gu, String.raw`\$&`)}"`).join(',')}}`);
}
