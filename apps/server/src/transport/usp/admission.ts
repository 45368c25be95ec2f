import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { RejectionReason } from '@highline/contract';
import type { AdmittedRouter, CertifiedRouter, PresentedCertificate, RouterCredentials } from '../../domains/inventory/index.ts';
import { workForRouters } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { Allowance, networkOf } from '../upgrades/index.ts';
import { identify } from './identity.ts';
import type { GatewaySettings } from './settings.ts';

export interface AdmissionDeps extends Pick<Deps, 'clock' | 'log'> {
  readonly credentials: RouterCredentials;
  readonly settings: Pick<
    GatewaySettings,
    'admissionMs' | 'admissionBatch' | 'admissionQueue' | 'failedTries' | 'suspectsWaiting' | 'reconnects'
  >;
}

/** Result of authenticating a connection. `retryAfter`: seconds. */
export type Decision =
  /**
   * `lookedUpAt`: its credentials were read after this (`performance.now()`). `rejected`: they do not satisfy its authentication
   * setting.
   */
  | { readonly router: AdmittedRouter; readonly lookedUpAt: number; readonly rejected?: RejectionReason }
  | { readonly rejected: 'unknown' }
  | { readonly rejected: 'busy'; readonly retryAfter: number }
  | { readonly rejected: 'slow-down'; readonly retryAfter: number };

/** Credentials that a connection presents: at least one of the two. */
export interface Shown {
  readonly secret: string | undefined;
  readonly certificate: PresentedCertificate | undefined;
}

interface ConnectionAttempt {
  readonly secretHash: Buffer | undefined;
  readonly certificate: PresentedCertificate | undefined;
  /** Hash of the secret, else of the certificate; identifies credentials known to be good. */
  readonly key: Buffer;
  readonly network: string;
  respond(decision: Decision): void;
}

export interface AdmissionCounts {
  admitted: number;
  unknown: number;
  /** Rejected with a retry hint: the queue was full, the database unavailable, or the router came too often. */
  deferred: number;
}

/** Pause after a batch that held only secrets from addresses with too many failures. */
const SUSPECT_PAUSE_MS = 50;
/** Number of credentials known to be valid, by 48 bits of each hash. */
const MOST_KNOWN = 200_000;

/**
 * Looks up secrets in batches, first come first served. When ten thousand routers connect at once they wait in a queue instead of
 * being rejected.
 */
export class Admission {
  readonly counts: AdmissionCounts = { admitted: 0, unknown: 0, deferred: 0 };
  readonly #deps: AdmissionDeps;
  /** Failures by address. Only failures count, so good routers behind one address (NAT) are not limited. */
  readonly #failures: Allowance;
  /** Connections by router: one that reconnects again and again must wait, whatever the cause. */
  readonly #connections: Allowance;
  readonly #known = new Set<number>();
  #queue: ConnectionAttempt[] = [];
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

  /** Authenticate a connection. The secret goes no further than this function. */
  async admit({ secret, certificate }: Shown, address: string): Promise<Decision> {
    if (this.#isClosed || this.#queue.length >= this.#deps.settings.admissionQueue) return this.#defer('busy');
    const secretHash = secret === undefined ? undefined : hash('sha256', secret, 'buffer');
    const key = secretHash ?? certificate?.fingerprint;
    if (key === undefined) return { rejected: 'unknown' };
    return new Promise((respond) => {
      this.#queue.push({ secretHash, certificate, key, network: networkOf(address), respond });
      this.#running ??= workForRouters(() => this.#run()).finally(() => (this.#running = undefined));
    });
  }

  /** At a stop: reject everyone in the queue. No more queries run once this resolves. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const attempt of this.#queue.splice(0)) attempt.respond(this.#defer('busy'));
    await this.#running;
  }

  async #run(): Promise<void> {
    await pause(this.#deps.settings.admissionMs);
    while (this.#queue.length > 0) {
      const { batch, isSuspect } = this.#takeBatch();
      await this.#decide(batch);
      // Let the handshakes of admitted routers run between two batches.
      await pause(isSuspect ? SUSPECT_PAUSE_MS : 0);
    }
  }

  /** Take the next batch. From an address with too many failures take one, keep some in the queue and reject the rest. */
  #takeBatch(): { batch: ConnectionAttempt[]; isSuspect: boolean } {
    const now = performance.now();
    const suspects = new Map<string, number>();
    const batch: ConnectionAttempt[] = [];
    const left: ConnectionAttempt[] = [];
    for (const attempt of this.#queue) {
      const rank = this.#isSuspect(attempt, now) ? count(suspects, attempt.network) : 0;
      if (rank > this.#deps.settings.suspectsWaiting) attempt.respond(this.#defer('slow-down'));
      else if (rank > 1 || batch.length >= this.#deps.settings.admissionBatch) left.push(attempt);
      else batch.push(attempt);
    }
    this.#queue = left;
    return { batch, isSuspect: batch.length <= suspects.size };
  }

  #isSuspect({ key, network }: ConnectionAttempt, now: number): boolean {
    return this.#failures.isSpent(network, now) && !this.#known.has(keyOf(key));
  }

  async #decide(batch: readonly ConnectionAttempt[]): Promise<void> {
    const { credentials, clock, log } = this.#deps;
    const lookedUpAt = performance.now();
    try {
      const found = await findCredentials(credentials, batch, clock.now());
      for (const attempt of batch) attempt.respond(this.#authorize(attempt, found(attempt), lookedUpAt));
    } catch (error) {
      log.warn({ err: error, routers: batch.length }, 'Router authentication lookup failed; clients will retry.');
      for (const attempt of batch) attempt.respond(this.#defer('busy'));
    }
  }

  #authorize({ key, network }: ConnectionAttempt, identity: ReturnType<typeof identify>, lookedUpAt: number): Decision {
    const now = performance.now();
    if (identity === undefined) {
      this.counts.unknown++;
      this.#failures.spend(network, now);
      this.#known.delete(keyOf(key));
      return { rejected: 'unknown' };
    }
    const { router, fault } = identity;
    if (this.#connections.isSpent(router.routerId, now)) return this.#defer('slow-down');
    this.#connections.spend(router.routerId, now);
    if (fault !== undefined) return { router, lookedUpAt, rejected: fault };
    this.counts.admitted++;
    // A secret that was good once is never delayed by failures of other clients at its address.
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.add(keyOf(key));
    return { router, lookedUpAt };
  }

  #defer(rejected: 'busy' | 'slow-down'): Decision {
    this.counts.deferred++;
    // Random, so that clients rejected together do not return together.
    return { rejected, retryAfter: 5 + Math.floor(Math.random() * 25) };
  }
}

/** Look up the credentials of a batch: one query for secrets and one for each kind of certificate. */
async function findCredentials(credentials: RouterCredentials, batch: readonly ConnectionAttempt[], now: Date) {
  const hashes = batch.flatMap(({ secretHash }) => (secretHash === undefined ? [] : [secretHash]));
  const certificates = batch.flatMap(({ certificate }) => (certificate === undefined ? [] : [certificate]));
  const [bySecret, byCertificate] = await Promise.all([
    hashes.length === 0 ? new Map<string, AdmittedRouter>() : credentials.bySecrets(hashes, now),
    certificates.length === 0 ? new Map<string, CertifiedRouter>() : credentials.byCertificates(certificates, now),
  ]);
  return ({ secretHash, certificate }: ConnectionAttempt) =>
    identify({
      bySecret: secretHash && bySecret.get(secretHash.toString('hex')),
      byCertificate: certificate && byCertificate.get(certificate.fingerprint.toString('hex')),
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
