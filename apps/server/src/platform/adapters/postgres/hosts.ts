import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { Log } from '../../ports/log.ts';
import { StartupError } from '../../settings/settings-file.ts';
import { sessionOf, type Login } from './login.ts';

/** Interval of the check whether the host in use still is what it has to be. */
const CHECK_MS = 1_000;
/** A host that takes longer counts as unreachable. */
const RESPONSE_MS = 3_000;

/** What a host has to be: the primary, which accepts writes, or a replica. */
export type HostRole = 'primary' | 'replica';

/** A connection string for each host of one with several (`postgresql://user@one:5432,two:5432/database`), in their order. */
export function urlsOf(url: string): string[] {
  const begin = url.indexOf('://') + 3;
  const length = url.slice(begin).search(/[/?]/u);
  const end = length === -1 ? url.length : begin + length;
  const afterLogin = Math.max(begin, url.lastIndexOf('@', end - 1) + 1);
  const hosts = url.slice(afterLogin, end).split(',');
  return hosts.map((host) => `${url.slice(0, afterLogin)}${host}${url.slice(end)}`);
}

interface HostResponse {
  readonly url: string;
  readonly isReplica: boolean;
  /** Raised by one at each promotion; 0 for a replica. */
  readonly timeline: number;
}

const WHO = `select pg_is_in_recovery() as "isReplica",
  case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end as timeline`;

/** A kept connection is replaced after this long: the name of a host may lead elsewhere by then. */
const KEPT_MS = 60_000;

/** Questions to hosts, each over a connection that is kept. */
class Questions {
  readonly #kept = new Map<string, { readonly client: Client; readonly until: number }>();

  /** @throws Error when the host does not answer */
  async ask(login: Login): Promise<HostResponse> {
    const kept = this.#kept.get(login.url);
    if (kept !== undefined && performance.now() < kept.until) {
      // It may have ended with a restart of the host.
      const response = await this.#askAt(kept.client, login).catch(() => undefined);
      if (response !== undefined) return response;
    } else if (kept !== undefined) this.#drop(kept.client, login);
    const client = new Client({ ...sessionOf(login), connectionTimeoutMillis: RESPONSE_MS, query_timeout: RESPONSE_MS });
    client.on('error', () => this.#drop(client, login));
    try {
      await client.connect();
    } catch (error) {
      this.#drop(client, login);
      throw error;
    }
    this.#kept.set(login.url, { client, until: performance.now() + KEPT_MS });
    return this.#askAt(client, login);
  }

  close(): void {
    for (const { client } of this.#kept.values()) client.connection.stream.destroy();
    this.#kept.clear();
  }

  async #askAt(client: Client, login: Login): Promise<HostResponse> {
    try {
      const { rows } = await client.query<{ isReplica: boolean; timeline: string }>(WHO);
      return { url: login.url, isReplica: rows[0]!.isReplica, timeline: Number.parseInt(rows[0]!.timeline, 16) };
    } catch (error) {
      this.#drop(client, login);
      throw error;
    }
  }

  #drop(client: Client, { url }: Login): void {
    if (this.#kept.get(url)?.client === client) this.#kept.delete(url);
    // A frozen server would not answer a polite end.
    client.connection.stream.destroy();
  }
}

/**
 * The host that has a role. Of several primaries, as after a failover that left the former one running, the one that was promoted last.
 * @param least the lowest acceptable timeline of a primary; `preferred`: of several equal ones, this URL
 * @returns undefined when no host that answers has the role
 */
function chooseHost(
  responses: readonly (HostResponse | undefined)[],
  role: HostRole,
  { least = 0, preferred = '' } = {},
): HostResponse | undefined {
  return responses
    .filter((response) => response !== undefined)
    .filter(({ isReplica, timeline }) => (role === 'replica' ? isReplica : !isReplica && timeline >= least))
    .toSorted((a, b) => b.timeline - a.timeline || Number(b.url === preferred) - Number(a.url === preferred))[0];
}

/**
 * The host of a login that has a role now.
 * @throws Error of the first host when none answers
 */
async function findHost(questions: Questions, login: Login, role: HostRole): Promise<HostResponse | undefined> {
  const responses = await Promise.allSettled(urlsOf(login.url).map((url) => questions.ask({ ...login, url })));
  if (responses.every(({ status }) => status === 'rejected')) throw (responses[0] as PromiseRejectedResult).reason;
  return chooseHost(
    responses.map((response) => (response.status === 'fulfilled' ? response.value : undefined)),
    role,
  );
}

/** None of several hosts has a role. */
export class NoSuchHost extends StartupError {}

/**
 * The login at the one host that has a role; a single host is not examined.
 * @throws NoSuchHost when none of several has it
 */
export async function loginAt(login: Login, role: HostRole, variable: string): Promise<Login> {
  if (urlsOf(login.url).length === 1) return login;
  // If none answers, the connection that follows says why.
  const questions = new Questions();
  const found = await findHost(questions, login, role)
    .catch(() => ({ url: urlsOf(login.url)[0]! }))
    .finally(() => questions.close());
  if (found === undefined) throw new NoSuchHost(`None of the hosts of ${variable} is a ${role} now.`);
  return { ...login, url: found.url };
}

/** Follows the host with a role among several. */
export interface Hosts {
  /** The login at the host that has the role, as far as known. */
  current(): Login;
  /** Called when the role has moved: connections to the former host must not be used. */
  onMoved(listener: () => void): void;
  stop(): Promise<void>;
}

/**
 * Check all hosts, each every second by itself: one that is silent does not delay what the others say.
 * @param first the login at the host that has the role now
 */
export function followHosts(login: Login, first: Login, role: HostRole, log: Log): Hosts {
  const listeners: (() => void)[] = [];
  const questions = new Questions();
  const stopping = new AbortController();
  const urls = [...new Set(urlsOf(login.url))];
  /** The last response of each host; undefined for one that did not answer. */
  const responses = new Map<string, HostResponse | undefined>();
  let { url } = first;
  /** A primary with a lower timeline is a former one that came back; what it accepts is lost. */
  let timeline = 0;
  let isLost = false;

  const use = (found: HostResponse): void => {
    const hasMoved = found.url !== url || (timeline > 0 && found.timeline !== timeline);
    if (hasMoved) log.warn({ host: hostOf(found.url), timeline: found.timeline }, `The ${role} has moved.`);
    ({ url, timeline } = found);
    isLost = false;
    if (hasMoved) for (const listener of listeners) listener();
  };

  const decide = (): void => {
    // First all of them: a former primary may answer before the present one does.
    if (responses.size < urls.length) return;
    // A host that was promoted elsewhere counts although the former primary still answers us.
    const found = chooseHost([...responses.values()], role, { least: timeline, preferred: url });
    if (found !== undefined) return use(found);
    if (!isLost) log.warn({ host: hostOf(url) }, `No host is the ${role} now; looking for one every second.`);
    isLost = true;
  };

  const followHost = async (host: string): Promise<void> => {
    while (!stopping.signal.aborted) {
      const response = await questions.ask({ ...login, url: host }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      responses.set(host, response);
      decide();
      await pause(CHECK_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const done = Promise.all(urls.map((host) => followHost(host)));

  return {
    current: () => ({ ...login, url }),
    onMoved: (listener) => void listeners.push(listener),
    async stop() {
      stopping.abort();
      await done;
      questions.close();
    },
  };
}

/** Host and port of a connection string; the rest is secret. */
function hostOf(url: string): string {
  return /^\w+:\/\/(?:[^@/?]*@)?([^/?]*)/u.exec(url)?.[1] ?? '';
}
