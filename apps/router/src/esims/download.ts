import { PRELOADED_CODE } from '@highline/usp';
import { EuiccFault, type EuiccProfile } from '../platform/euicc.ts';
import { PRELOADED, PROFILES, SETTINGS, withEsimEnd, withEsims, withPreloaded, withProfile } from '../state/esims.ts';
import type { DownloadJob, RouterState } from '../state/state.ts';
import type { EsimRoom } from './room.ts';

/**
 * Brings a profile onto the chip. What was cut off begins anew; what came onto the chip before a power cut is taken over after it, so
 * nothing is fetched twice.
 */
export class ProfileDownload {
  readonly #room: EsimRoom;
  #abort: AbortController | undefined;
  #stopped = false;
  #dark = false;
  #wake: (() => void) | undefined;

  constructor(room: EsimRoom) {
    this.#room = room;
  }

  /** The job under way goes on, if it is a download. */
  start(): void {
    if (this.#job() !== undefined) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#abort?.abort();
    this.#wake?.();
  }

  goDark(): void {
    this.#dark = true;
    this.#abort?.abort();
  }

  comeBack(): void {
    this.#dark = false;
    this.#wake?.();
  }

  #job(): DownloadJob | undefined {
    const { job } = this.#room.store.current().esims;
    return this.#stopped || job?.kind !== 'download' ? undefined : job;
  }

  async #run(): Promise<void> {
    for (let job = this.#job(); job !== undefined; job = this.#job()) {
      try {
        await this.#go(job);
      } catch (error) {
        this.#room.log('warn', 'esim.interrupted', { reason: String(error) });
        if (!this.#stopped) await this.#pause();
      }
    }
  }

  async #go(job: DownloadJob): Promise<void> {
    if (job.activationCode === PRELOADED_CODE) return this.#setUpPreloaded(job);
    const { euicc } = this.#room;
    const arrived = this.#arrived();
    if (arrived !== undefined) return this.#takeOver(job, arrived);
    if (euicc.profiles().length >= euicc.capacity) return this.#end('out-of-memory: the eUICC is full');
    if (this.#dark || !this.#room.isRegistered()) throw new Error('no coverage');
    this.#reach(job, 'download');
    const abort = new AbortController();
    this.#abort = abort;
    try {
      await euicc.download(job, abort.signal, () => this.#reach(job, 'install'));
    } catch (error) {
      if (!(error instanceof EuiccFault)) throw error;
      if (this.#job() !== undefined) this.#end(error.message);
    }
  }

  /** On the chip, but nobody's yet: it came before a power cut, or just now. */
  #arrived(): EuiccProfile | undefined {
    const { rows } = this.#room.store.current();
    const known = new Set(Object.entries(rows).map(([path, row]) => (path.startsWith(PROFILES) ? row['ICCID'] : undefined)));
    return this.#room.euicc.profiles().find(({ iccid, isPreloaded }) => !isPreloaded && !known.has(iccid));
  }

  #takeOver(job: DownloadJob, { iccid, carrier }: EuiccProfile): void {
    const before = this.#room.store.current();
    const { state, number } = withProfile(before, iccid, { ...job, priority: job.priority || String(lastPriority(before) + 1) });
    this.#end(null, state, { Profile: `${PROFILES}${number}.`, ICCID: iccid, Carrier: carrier });
  }

  #setUpPreloaded(job: DownloadJob): void {
    const found = this.#room.euicc.profiles().find(({ isPreloaded }) => isPreloaded);
    if (found?.iccid !== job.iccid)
      return this.#end(`iccid-mismatch: the profile from the factory is ${found?.iccid ?? 'not there'}`);
    const outputs = { Profile: `${PROFILES}${PRELOADED}.`, ICCID: found.iccid, Carrier: found.carrier };
    this.#end(null, withPreloaded(this.#room.store.current(), job), outputs);
  }

  #reach(job: DownloadJob, stage: DownloadJob['stage']): void {
    const state = this.#room.store.current();
    if (state.esims.job?.kind === 'download' && state.esims.job.stage !== stage)
      this.#room.store.commit(withEsims(state, { job: { ...job, stage } }));
    this.#room.on.changed();
  }

  #end(failure: string | null, state = this.#room.store.current(), outputs: Record<string, string> = {}): void {
    this.#room.store.commit(withEsimEnd(state, failure, outputs));
    this.#room.log(failure === null ? 'info' : 'warn', 'esim.download-ended', { reason: failure ?? '' });
    this.#room.on.changed();
    this.#room.on.ended();
  }

  /** Waits, at least until coverage is back; stopping ends it. */
  async #pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#room.scheduler.after(this.#room.timing.retryMs, () => {
        if (!this.#dark) resolve();
      });
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

function lastPriority({ rows }: RouterState): number {
  const given = Object.entries(rows).map(([path, row]) => (path.startsWith(PROFILES) ? Number(row[SETTINGS.priority] ?? 1) : 1));
  return Math.max(1, ...given);
}
