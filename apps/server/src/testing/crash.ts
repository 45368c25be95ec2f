import type { PoolClient } from 'pg';
import { createDatabase } from '../platform/adapters/database.ts';
import { closePool, cutConnections, openPool } from '../platform/adapters/postgres/pool.ts';
import type { Database } from '../platform/ports/database.ts';

// A process that dies at a chosen point, within the process of a test: its connections to PostgreSQL are cut, and whatever of it still
// runs reaches neither the database nor anything else. What passes its ports is counted: each commit, and each effect outside.

/** What code of a dead process gets from its ports. */
class Dead extends Error {
  override readonly name = 'Dead';
}

/** One run of the server's code on a database, from its start to its death or its end. */
export interface Life {
  readonly database: Database;
  /** Points passed so far, such as `before commit 2`; the last one is where it died. */
  readonly points: readonly string[];
  readonly isDead: boolean;
  /** Resolves when it dies. */
  readonly died: Promise<void>;
  /** An effect outside of the database: a mail, a call. Points are before and after it. */
  effect<In extends readonly unknown[], Out>(name: string, act: (...input: In) => Promise<Out>): (...input: In) => Promise<Out>;
  close(): Promise<void>;
}

/** @param deathAt index of the point at which it dies; without it, it does not */
function openLife(serveUrl: string, deathAt?: number): Life {
  const pool = openPool({ url: serveUrl, pooled: false }, { max: 8 });
  const points: string[] = [];
  const { promise: died, resolve } = Promise.withResolvers<void>();
  let isDead = false;
  const pass = (point: string) => {
    if (isDead) throw new Dead();
    points.push(point);
    if (points.length - 1 !== deathAt) return;
    isDead = true;
    cutConnections(pool);
    resolve();
    throw new Dead();
  };
  let commits = 0;
  const committing = async <T>(commit: () => Promise<T>): Promise<T> => {
    const name = `commit ${++commits}`;
    pass(`before ${name}`);
    const result = await commit();
    pass(`after ${name}`);
    return result;
  };
  const living = <T>(result: T): T => {
    if (isDead) throw new Dead();
    return result;
  };
  pool.on('connect', (client) => watch(client, living, committing));
  return {
    database: createDatabase(pool, () => {}),
    points,
    get isDead() {
      return isDead;
    },
    died,
    effect:
      (name, act) =>
      async (...input) => {
        pass(`before ${name}`);
        const result = await act(...input);
        pass(`after ${name}`);
        return result;
      },
    close: () => closePool(pool),
  };
}

const BEGINS = /^\s*(?:begin|start transaction)/iu;
const COMMITS = /^\s*commit/iu;
const ENDS = /^\s*rollback(?!\s+to)/iu;
/** A statement outside of a transaction that may write is a commit of its own. */
const WRITES = /^\s*(?:insert|update|delete|merge)|^\s*with[^]*\b(?:insert into|update|delete from)\b/iu;

type Callback = (error: Error | null, result?: unknown) => void;

/** Let the statements of a connection pass the points. */
function watch(client: PoolClient, living: <T>(result: T) => T, committing: <T>(commit: () => Promise<T>) => Promise<T>): void {
  const query = client.query.bind(client) as (...input: unknown[]) => Promise<unknown>;
  let isInTransaction = false;
  const run = async (input: readonly unknown[]): Promise<unknown> => {
    const text = textOf(input[0]);
    if (BEGINS.test(text)) isInTransaction = true;
    const isCommit = isInTransaction ? COMMITS.test(text) : WRITES.test(text);
    if (isCommit || ENDS.test(text)) isInTransaction = false;
    living(undefined);
    return living(await (isCommit ? committing(() => query(...input)) : query(...input)));
  };
  const watched = (...input: unknown[]): unknown => {
    // A cursor or a COPY, which is part of a transaction.
    if (typeof input[0] === 'object' && input[0] !== null && 'submit' in input[0]) {
      living(undefined);
      return query(...input);
    }
    const respond = typeof input.at(-1) === 'function' ? (input.pop() as Callback) : undefined;
    const done = run(input);
    if (respond === undefined) return done;
    done.then(
      (result) => respond(null, result),
      (error: Error) => respond(error),
    );
    return undefined;
  };
  Object.assign(client, { query: watched });
}

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : ((statement as { readonly text?: string } | undefined)?.text ?? '');
}

/** One kind of work of the server that a crash must neither lose nor double. */
export interface CrashableWork {
  /** Bring the database to where the work begins. */
  arrange(): Promise<void>;
  /**
   * Do the work, to its end.
   * @param acknowledge note what a client or router learns, at that moment
   * @param run 0 for the process that may die; from 1 on for those that go on after every lease of it has ended
   */
  run(life: Life, acknowledge: (what: string) => void, run: number): Promise<void>;
  /** Look right after the death. @returns what was acknowledged and is not there */
  look(acknowledged: readonly string[]): Promise<readonly string[]>;
  /** What is there after the work is done, with what arrived outside: the same wherever it died. */
  outcome(): Promise<unknown>;
}

export interface Death {
  /** Where it died, such as `before commit 2`; undefined: it came to its end. */
  readonly point: string | undefined;
  /** Acknowledged before it and lost by it. */
  readonly lost: readonly string[];
  readonly outcome: unknown;
}

/**
 * Do the work again and again, with a death at its first point, at its second one, and so on, the last time without one. After each, two
 * more runs do it as other processes would: the first one continues, the second one finds nothing left to do.
 */
export async function walkDeaths(serveUrl: string, work: CrashableWork): Promise<readonly Death[]> {
  const leftovers: Promise<unknown>[] = [];
  const live = async (run: number, acknowledge: (what: string) => void, deathAt?: number): Promise<Life> => {
    const life = openLife(serveUrl, deathAt);
    const done = work.run(life, (what) => life.isDead || acknowledge(what), run);
    // What is left of a dead one comes to its end too, so that it does not outlive its test.
    leftovers.push(done.catch(() => {}));
    await Promise.race([done, life.died]).catch((error: unknown) => {
      if (!life.isDead) throw error;
    });
    await life.close();
    return life;
  };
  const deaths: Death[] = [];
  for (let index = 0; ; index++) {
    await work.arrange();
    const acknowledged: string[] = [];
    const { isDead, points } = await live(0, (what) => acknowledged.push(what), index);
    const lost = await work.look(acknowledged);
    for (const run of [1, 2]) await live(run, () => {});
    deaths.push({ point: isDead ? points[index] : undefined, lost, outcome: await work.outcome() });
    if (!isDead) break;
  }
  await Promise.all(leftovers);
  return deaths;
}
