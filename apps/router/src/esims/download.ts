import { PRELOADED_CODE } from '@highline/usp';
import { Attempts } from '../platform/attempts.ts';
import { EuiccFault, type EuiccProfile } from '../platform/euicc.ts';
import { PRELOADED, PROFILES, SETTINGS, withEsimEnd, withEsims, withPreloaded, withProfile } from '../state/esims.ts';
import type { DownloadJob, RouterState } from '../state/state.ts';
import type { EsimContext } from './context.ts';

/**
 * Installs a profile on the chip. An interrupted download starts again; a profile that was installed before a power cut is
 * adopted after it, so nothing is fetched twice.
 */
export class ProfileDownload {
  readonly #context: EsimContext;
  readonly #attempts: Attempts;
  #stopped = false;

  constructor(context: EsimContext) {
    this.#context = context;
    this.#attempts = new Attempts(context.scheduler);
  }

  /** Continue the current job, if it is a download. */
  start(): void {
    if (this.#job() !== undefined) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
    this.#attempts.stop();
  }

  onCoverageLost(): void {
    this.#attempts.onCoverageLost();
  }

  onCoverageRestored(): void {
    this.#attempts.onCoverageRestored();
  }

  #job(): DownloadJob | undefined {
    const { job } = this.#context.store.current().esims;
    return this.#stopped || job?.kind !== 'download' ? undefined : job;
  }

  async #run(): Promise<void> {
    for (let job = this.#job(); job !== undefined; job = this.#job()) {
      try {
        await this.#go(job);
      } catch (error) {
        this.#context.log('warn', 'esim.interrupted', { reason: String(error) });
        if (!this.#stopped) await this.#attempts.pause(this.#context.timing.retryMs);
      }
    }
  }

  async #go(job: DownloadJob): Promise<void> {
    if (job.activationCode === PRELOADED_CODE) return this.#setUpPreloaded(job);
    const { euicc } = this.#context;
    const arrived = this.#arrived();
    if (arrived !== undefined) return this.#adopt(job, arrived);
    if (euicc.profiles().length >= euicc.capacity) return this.#end('out-of-memory: the eUICC is full');
    const signal = this.#attempts.begin();
    this.#reach(job, 'download');
    try {
      await euicc.download(job, signal, () => this.#reach(job, 'install'));
    } catch (error) {
      if (!(error instanceof EuiccFault)) throw error;
      if (this.#job() !== undefined) this.#end(error.message);
    }
  }

  /** Installed but not adopted yet: before a power cut, or just now. */
  #arrived(): EuiccProfile | undefined {
    const { rows } = this.#context.store.current();
    const known = new Set(Object.entries(rows).map(([path, row]) => (path.startsWith(PROFILES) ? row['ICCID'] : undefined)));
    return this.#context.euicc.profiles().find(({ iccid, isPreloaded }) => !isPreloaded && !known.has(iccid));
  }

  #adopt(job: DownloadJob, { iccid, carrier }: EuiccProfile): void {
    const before = this.#context.store.current();
    const { state, number } = withProfile(before, iccid, { ...job, priority: job.priority || String(lastPriority(before) + 1) });
    this.#end(null, state, { Profile: `${PROFILES}${number}.`, ICCID: iccid, Carrier: carrier });
  }

  #setUpPreloaded(job: DownloadJob): void {
    const found = this.#context.euicc.profiles().find(({ isPreloaded }) => isPreloaded);
    if (found?.iccid !== job.iccid)
      return this.#end(`iccid-mismatch: the profile from the factory is ${found?.iccid ?? 'not there'}`);
    const outputs = { Profile: `${PROFILES}${PRELOADED}.`, ICCID: found.iccid, Carrier: found.carrier };
    this.#end(null, withPreloaded(this.#context.store.current(), job), outputs);
  }

  #reach(job: DownloadJob, stage: DownloadJob['stage']): void {
    const state = this.#context.store.current();
    if (state.esims.job?.kind === 'download' && state.esims.job.stage !== stage)
      this.#context.store.commit(withEsims(state, { job: { ...job, stage } }));
    this.#context.on.changed();
  }

  #end(failure: string | null, state = this.#context.store.current(), outputs: Record<string, string> = {}): void {
    this.#context.store.commit(withEsimEnd(state, failure, outputs));
    this.#context.log(failure === null ? 'info' : 'warn', 'esim.download-ended', { reason: failure ?? '' });
    this.#context.on.changed();
    this.#context.on.ended();
  }
}

function lastPriority({ rows }: RouterState): number {
  const given = Object.entries(rows).map(([path, row]) => (path.startsWith(PROFILES) ? Number(row[SETTINGS.priority] ?? 1) : 1));
  return Math.max(1, ...given);
}
