import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RejectionReason } from '@highline/contract';
import {
  admitCertificates,
  admitRouters,
  type AdmittedRouter,
  type CertifiedRouter,
  type PresentedCertificate,
} from '../domains/inventory/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import type { Log } from '../ports/log.ts';
import { Allowance, networkOf } from './allowance.ts';
import { identify } from './identity.ts';
import type { GatewaySettings } from './settings.ts';

export interface AdmissionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<
    GatewaySettings,
    'admissionMs' | 'admissionBatch' | 'admissionQueue' | 'failedTries' | 'suspectsWaiting' | 'reconnects'
  >;
}

/** What becomes of who knocks. `retryAfter`: seconds. */
export type Verdict =
  | { readonly router: AdmittedRouter }
  /** A router that we know, whose credentials are not those it must have. */
  | { readonly router: AdmittedRouter; readonly rejected: RejectionReason }
  | { readonly refused: 'unknown' }
  | { readonly refused: 'busy'; readonly retryAfter: number }
  | { readonly refused: 'slow-down'; readonly retryAfter: number };

/** What a connection shows of itself: at least one of the two. */
export interface Shown {
  readonly secret: string | undefined;
  readonly certificate: PresentedCertificate | undefined;
}

interface Knock {
  readonly secretHash: Buffer | undefined;
  readonly certificate: PresentedCertificate | undefined;
  /** The hash of the secret, else of the certificate: by which good ones are known. */
  readonly key: Buffer;
  readonly network: string;
  answer(verdict: Verdict): void;
}

export interface AdmissionCounts {
  admitted: number;
  unknown: number;
  /** Sent off to come again: the queue was full, the database away, or it came too often. */
  deferred: number;
}

/** After a batch of nothing but secrets from addresses with too many failures. */
const SUSPECT_PAUSE_MS = 50;
/** Credentials known to be good; 48 bits of each hash. */
const MOST_KNOWN = 200_000;

/**
 * Looks up secrets, many with one query, in the order in which they came. Whoever comes with ten thousand others waits for its
 * turn instead of being turned away.
 */
export class Admission {
  readonly counts: AdmissionCounts = { admitted: 0, unknown: 0, deferred: 0 };
  readonly #deps: AdmissionDeps;
  /** Failures by address. Only they count: good routers, however many stand behind one address (a NAT), take nothing from it. */
  readonly #failures: Allowance;
  /** Connections by router: one that connects again and again must wait, whatever is wrong with it. */
  readonly #connections: Allowance;
  readonly #known = new Set<number>();
  #queue: Knock[] = [];
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: AdmissionDeps) {
    this.#deps = deps;
    this.#failures = new Allowance(deps.settings.failedTries);
    this.#connections = new Allowance(deps.settings.reconnects);
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Whose connection is it? A secret goes no further than this function. */
  async admit({ secret, certificate }: Shown, address: string): Promise<Verdict> {
    if (this.#isClosed || this.#queue.length >= this.#deps.settings.admissionQueue) return this.#defer('busy');
    const secretHash = secret === undefined ? undefined : hash('sha256', secret, 'buffer');
    const key = secretHash ?? certificate?.fingerprint;
    if (key === undefined) return { refused: 'unknown' };
    return new Promise((answer) => {
      this.#queue.push({ secretHash, certificate, key, network: networkOf(address), answer });
      this.#running ??= this.#run().finally(() => (this.#running = undefined));
    });
  }

  /** At a stop: everyone who waits is sent away, and the database is not asked any more once this resolves. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const knock of this.#queue.splice(0)) knock.answer(this.#defer('busy'));
    await this.#running;
  }

  async #run(): Promise<void> {
    await pause(this.#deps.settings.admissionMs);
    while (this.#queue.length > 0) {
      const { batch, isSuspect } = this.#takeBatch();
      await this.#decide(batch);
      // Between two batches the handshakes of those who were let in take their turn.
      await pause(isSuspect ? SUSPECT_PAUSE_MS : 0);
    }
  }

  /** The first in the queue. Of an address with too many failures one goes along, some keep their place, the rest is sent away. */
  #takeBatch(): { batch: Knock[]; isSuspect: boolean } {
    const now = performance.now();
    const suspects = new Map<string, number>();
    const batch: Knock[] = [];
    const left: Knock[] = [];
    for (const knock of this.#queue) {
      const rank = this.#isSuspect(knock, now) ? count(suspects, knock.network) : 0;
      if (rank > this.#deps.settings.suspectsWaiting) knock.answer(this.#defer('slow-down'));
      else if (rank > 1 || batch.length >= this.#deps.settings.admissionBatch) left.push(knock);
      else batch.push(knock);
    }
    this.#queue = left;
    return { batch, isSuspect: batch.length <= suspects.size };
  }

  #isSuspect({ key, network }: Knock, now: number): boolean {
    return this.#failures.isSpent(network, now) && !this.#known.has(keyOf(key));
  }

  async #decide(batch: readonly Knock[]): Promise<void> {
    const { database, clock, log } = this.#deps;
    try {
      const found = await findCredentials(database.read, batch, clock.now());
      for (const knock of batch) knock.answer(this.#judge(knock, found(knock)));
    } catch (error) {
      log.warn({ err: error, routers: batch.length }, 'Credentials could not be looked up; the routers come again.');
      for (const knock of batch) knock.answer(this.#defer('busy'));
    }
  }

  #judge({ key, network }: Knock, identity: ReturnType<typeof identify>): Verdict {
    const now = performance.now();
    if (identity === undefined) {
      this.counts.unknown++;
      this.#failures.spend(network, now);
      this.#known.delete(keyOf(key));
      return { refused: 'unknown' };
    }
    const { router, fault } = identity;
    if (this.#connections.isSpent(router.routerId, now)) return this.#defer('slow-down');
    this.#connections.spend(router.routerId, now);
    if (fault !== undefined) return { router, rejected: fault };
    this.counts.admitted++;
    // A secret that was good once is never held up by what its neighbours do.
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.add(keyOf(key));
    return { router };
  }

  #defer(refused: 'busy' | 'slow-down'): Verdict {
    this.counts.deferred++;
    // Drawn, so that those who are sent away together do not come back together.
    return { refused, retryAfter: 5 + Math.floor(Math.random() * 25) };
  }
}

/** Look up what a batch shows, with one query for secrets and one for each kind of certificate. */
async function findCredentials(queries: Database['read'], batch: readonly Knock[], now: Date) {
  const hashes = batch.flatMap(({ secretHash }) => (secretHash === undefined ? [] : [secretHash]));
  const certificates = batch.flatMap(({ certificate }) => (certificate === undefined ? [] : [certificate]));
  const [bySecret, byCertificate] = await Promise.all([
    hashes.length === 0 ? new Map<string, AdmittedRouter>() : admitRouters(queries, hashes, now),
    certificates.length === 0 ? new Map<string, CertifiedRouter>() : admitCertificates(queries, certificates, now),
  ]);
  return ({ secretHash, certificate }: Knock) =>
    identify({
      bySecret: secretHash && bySecret.get(secretHash.toString('hex')),
      byCertificate: certificate && byCertificate.get(certificate.fingerprint.toString('hex')),
      hasSecret: secretHash !== undefined,
      hasCertificate: certificate !== undefined,
    });
}

function count(counts: Map<string, number>, key: string): number {
  const counted = (counts.get(key) ?? 0) + 1;
  counts.set(key, counted);
  return counted;
}

function keyOf(key: Buffer): number {
  return key.readUIntBE(0, 6);
}
