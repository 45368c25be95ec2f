import type { KeyObject } from 'node:crypto';
import { type OperationResult, UspError } from '@highline/usp';
import type { Log } from '../log.ts';
import { outcomeOf } from '../notifications/ends.ts';
import type { Flash, FlashArea } from '../platform/flash.ts';
import type { Scheduler } from '../platform/scheduler.ts';
import type { Job, JobEnd, RouterState, JobRequest } from '../state/state.ts';
import type { StateStore } from '../state/store.ts';
import {
  afterEndDelivered,
  afterFailure,
  afterHome,
  afterReturn,
  NOT_HOME,
  otherSlot,
  slotFault,
  slotOf,
  withBackup,
  withConfig,
  withEnd,
  withJob,
  withSlot,
  withSwitch,
} from '../state/updates.ts';
import { type AcceptValue, readBackup } from '../settings/backup-file.ts';
import { UpdateFault } from './download.ts';
import { Fetching, messageOf } from './fetching.ts';
import type { ImageDigest } from './image-digest.ts';
import { Trial } from './trial.ts';
import { assertWhole, readImage } from './verify.ts';

/** Space that a download leaves for the state of the router: the new one, and those before it. A small file needs less: it may be the one that helps. */
const RESERVED_BYTES = 256 * 1024;

export type UpdateTiming = {
  /** Time limit for software on trial to call home. */
  callHomeMs: number;
  /** Delay before a download is retried; doubled at each retry up to 16 times. */
  retryMs: number;
};

export type UpdaterOptions = {
  store: StateStore;
  flash: Flash;
  scheduler: Scheduler;
  log: Log;
  /** Keys whose image signatures are trusted; none = only the SHA-256 is checked. */
  trustedKeys: readonly KeyObject[];
  model: string;
  controllerId: string;
  /** Epoch milliseconds by the router's own clock. */
  now: () => number;
  timing: UpdateTiming;
  /** Checks a value of a backup. */
  acceptValue: AcceptValue;
  /** Whether the controller is reached. */
  isConnected(): boolean;
  on: {
    /** Restart into the stored software. */
    restart(): void;
    /** Reconnect according to the stored config file. */
    reconnect(): void;
    /** Something visible in the data model has changed. */
    changed(): void;
    /** A command has ended, and its end is stored. */
    ended(): void;
  };
};

/** An older agent may be what is tried: it reads a state only if it knows all of it. */
const onTrial = ({ isRepeated: _, ...job }: Job): Job => ({ ...job, stage: 'trial' });

/**
 * Downloads firmware and config files so that no power cut can brick the router: every stage is stored before the next begins,
 * only the slot that is not running is written, and new software stays on trial until it has called home.
 */
export class Updater {
  readonly #options: UpdaterOptions;
  readonly #fetching: Fetching;
  readonly #trial: Trial;
  #stopped = false;

  constructor(options: UpdaterOptions) {
    const { flash, scheduler, timing, on } = options;
    this.#options = options;
    this.#fetching = new Fetching({
      flash,
      scheduler,
      retryMs: timing.retryMs,
      current: (job) => (this.#isCurrent(job) ? (this.#state.job ?? undefined) : undefined),
      isConnected: options.isConnected,
      idled: (idleTries) => this.#changeJob({ idleTries }),
      fetched: () => {
        this.#changeJob({ stage: 'verify', idleTries: 0 });
        on.changed();
      },
      changed: () => on.changed(),
    });
    this.#trial = new Trial({
      scheduler,
      callHomeMs: timing.callHomeMs,
      hasCoverage: () => this.#fetching.attempts.hasCoverage,
      passed: () => this.#confirm(),
      failed: () => this.#revertTrial(),
    });
  }

  /** Percent of the current download, in steps of ten. */
  get percent(): number {
    const { job } = this.#state;
    if (job === null || job.size === 0 || job.stage === 'accepted') return 0;
    if (job.stage !== 'download') return 100;
    return this.#fetching.percentOf(job.size);
  }

  get undelivered(): readonly JobEnd[] {
    return this.#state.ended.filter(({ delivered }) => !delivered);
  }

  get #state(): RouterState {
    return this.#options.store.current();
  }

  /** The router has started: continue the current job, after a trial. */
  start(): void {
    if (this.#state.trial === null) this.#continueJob();
    else this.#trial.start();
  }

  #continueJob(): void {
    const { job } = this.#state;
    if (job !== null) void this.#run(job, true);
  }

  /** Free the space of files that are not whole, or were never installed. A job downloads its file again. */
  eraseUnfinished(): void {
    const { flash } = this.#state;
    const number = otherSlot(flash.active);
    if (slotOf({ flash }, number).status !== 'Available') this.#erase(`slot-${number}`);
    this.#erase('config');
  }

  /** The router is off: stop everything. */
  stop(): void {
    this.#stopped = true;
    this.#fetching.attempts.stop();
    this.#trial.stop();
  }

  /** Coverage is gone: downloads pause until it is back, and a trial has more time. */
  onCoverageLost(): void {
    this.#fetching.attempts.onCoverageLost();
  }

  onCoverageRestored(): void {
    const { attempts } = this.#fetching;
    if (attempts.hasCoverage) return;
    this.#trial.onCoverageRestored();
    attempts.onCoverageRestored();
  }

  /**
   * Start a job for a command. The same key is the same job: it is answered, continues from the address sent last, and is not
   * started twice.
   * @throws Error when it could not be stored
   */
  begin(request: JobRequest): OperationResult {
    const { job, trial, ended } = this.#state;
    if (job !== null) {
      if (request.commandKey !== '' && job.commandKey === request.commandKey) {
        this.#renewAddress(job, request);
        return { type: 'req_obj_path', value: job.requestPath };
      }
      return failure(UspError.resourcesExceeded, 'another update is under way');
    }
    const known = ended.find(({ commandKey }) => commandKey !== '' && commandKey === request.commandKey);
    if (known !== undefined) return outcomeOf(known.failure);
    const fault = slotFault(this.#state, request);
    if (fault !== undefined) return failure(UspError.invalidCommandArguments, fault);
    if (trial !== null) return failure(UspError.resourcesExceeded, 'what was installed last is still on trial');
    const next = withJob(this.#state, request, this.#options.controllerId, this.#options.now());
    this.#commit(next);
    if (next.job === null) throw new TypeError('a job was not stored');
    void this.#run(next.job, false);
    return { type: 'req_obj_path', value: next.job.requestPath };
  }

  /** An address that expired is sent again with the command. */
  #renewAddress(job: Job, { url, username, password }: JobRequest): void {
    if (job.stage !== 'download') return;
    this.#changeJob({ url, username, password, idleTries: 0 });
    this.#fetching.attempts.retryNow();
  }

  /** The cloud was reached with the running software: keep it. */
  calledHome(): void {
    this.#trial.calledHome();
  }

  delivered(commandKey: string): void {
    this.#commit(afterEndDelivered(this.#state, commandKey));
  }

  /** Whether the job is still this one: a factory reset deletes it. */
  #isCurrent({ commandKey }: Job): boolean {
    return !this.#stopped && this.#state.job?.commandKey === commandKey;
  }

  /** @param isContinued the job was begun before this start, or before a trial */
  async #run(job: Job, isContinued: boolean): Promise<void> {
    try {
      if (job.kind === 'activate') return this.#switchTo(job, this.#state);
      const digest = await this.#download(job, isContinued);
      if (digest !== undefined) await this.#install(job, digest);
    } catch (error) {
      if (this.#isCurrent(job)) this.#fail(job, error);
    }
  }

  /**
   * Continue the download. A file in parts may have lost bytes in a power cut, or be of two versions: where it is not the announced one,
   * it is downloaded once more.
   * @returns the digest of the whole file; undefined when the job is no longer current
   */
  async #download(job: Job, isContinued: boolean): Promise<ImageDigest | undefined> {
    const area = areaOf(job);
    if (this.#state.job?.stage === 'accepted') await this.#reserveSpace(job);
    let isOnePart = !isContinued;
    if (this.#isCurrent(job) && this.#state.job?.stage === 'download')
      isOnePart = (await this.#fetching.fetch(job, area, isContinued)) && isOnePart;
    if (!this.#isCurrent(job)) return undefined;
    const digest = await this.#options.flash.seal(area);
    try {
      assertWhole(digest, job);
    } catch (error) {
      if (!this.#isCurrent(job) || isOnePart || this.#state.job?.isRepeated === true) throw error;
      this.#options.log('warn', 'update.repeated', { reason: messageOf(error) });
      this.#changeJob({ stage: 'accepted', isRepeated: true });
      return this.#download(job, isContinued);
    }
    return digest;
  }

  /** Delete remains of earlier jobs; only then can stored bytes be continued. @throws UpdateFault when the file does not fit */
  async #reserveSpace(job: Job): Promise<void> {
    const { flash } = this.#options;
    flash.erase(areaOf(job));
    const fitting = (await flash.free()) - Math.min(RESERVED_BYTES, 4 * job.size);
    if (job.size > fitting)
      throw new UpdateFault(
        `installation-failed: ${job.size} bytes do not fit; the storage has ${Math.max(0, fitting)} for a file`,
      );
    if (!this.#isCurrent(job)) return;
    this.#changeJob({ stage: 'download' });
  }

  async #install(job: Job, digest: ImageDigest): Promise<void> {
    const { flash, trustedKeys, model } = this.#options;
    if (job.kind === 'config') {
      const text = (await flash.read('config')).toString('utf8');
      if (!this.#isCurrent(job)) return;
      this.#applyConfig(job, text);
      flash.erase('config');
      return;
    }
    const image = readImage(digest, trustedKeys, { model, oldest: this.#state.flash.oldest });
    if (!this.#isCurrent(job)) return;
    const flashed = withSlot(this.#state, job.slot, image);
    if (!job.autoActivate) return this.#end(flashed, null);
    this.#switchTo(job, flashed);
  }

  /** One write: an image that is stored as good is never erased by the failure of its job. */
  #switchTo(job: Job, state: RouterState): void {
    const { slot, commandKey } = job;
    const switched = withSwitch(state, slot, { cause: 'LocalReboot', commandKey });
    this.#commit({ ...switched, job: onTrial(job) });
    this.#options.on.changed();
    this.#options.log('info', 'update.restarting', { version: slotOf(this.#state, slot).version });
    this.#options.on.restart();
  }

  #applyConfig(job: Job, text: string): void {
    this.#commit({ ...this.#withFile(job, text), job: onTrial(job) });
    this.#trial.start();
    try {
      this.#options.on.changed();
      this.#options.on.reconnect();
    } catch (error) {
      // Nor could the next start apply it; over the old connection the cloud is still reached.
      this.#trial.stop();
      this.#revertTrial(`installation-failed: ${messageOf(error)}`);
    }
  }

  /** A backup brings its settings, and the config file of that time under its own version. */
  #withFile(job: Job, text: string): RouterState {
    const backup = readBackup(text, this.#options.acceptValue);
    if (backup === undefined)
      return withConfig(this.#state, { name: job.fileName, version: job.sha256.slice(0, 12), description: '', text });
    return withBackup(this.#state, backup);
  }

  #confirm(): void {
    this.#store(
      () => (this.#state.trial === null ? undefined : afterHome(this.#state, this.#options.now())),
      () => {
        this.#options.log('info', 'update.confirmed');
        this.#options.on.ended();
        this.#continueJob();
      },
    );
  }

  /** @param failure what the job that installed it reports */
  #revertTrial(failure = NOT_HOME): void {
    const kind = this.#state.trial?.kind;
    this.#store(
      () => (this.#state.trial === null ? undefined : afterReturn(this.#state, this.#options.now(), failure)),
      () => {
        this.#options.log('warn', 'update.returned', { kind, reason: failure });
        if (kind === 'firmware') return this.#options.on.restart();
        this.#options.on.changed();
        this.#options.on.reconnect();
      },
    );
  }

  /** Erased first: the download may fill the disk that the end is stored on. Since the job was stored the slot does not count as good. */
  #fail(job: Job, error: unknown): void {
    const message = error instanceof UpdateFault ? error.message : `installation-failed: ${messageOf(error)}`;
    this.#options.log('warn', 'update.failed', { reason: message });
    if (job.kind !== 'activate') this.#erase(areaOf(job));
    this.#store(
      () => (this.#isCurrent(job) ? withEnd(afterFailure(this.#state, job, message), message, this.#options.now()) : undefined),
      () => this.#notifyEnd(),
    );
  }

  #erase(area: FlashArea): void {
    try {
      this.#options.flash.erase(area);
    } catch (error) {
      this.#options.log('warn', 'update.not-erased', { area, reason: String(error) });
    }
  }

  #end(state: RouterState, failureText: string | null): void {
    this.#commit(withEnd(state, failureText, this.#options.now()));
    this.#notifyEnd();
  }

  #notifyEnd(): void {
    this.#fetching.discard();
    this.#options.on.changed();
    this.#options.on.ended();
  }

  /** Store what must not be lost, retrying until it is written. @param next undefined = no longer necessary */
  #store(next: () => RouterState | undefined, done: () => void): void {
    const state = this.#stopped ? undefined : next();
    if (state === undefined) return;
    try {
      this.#commit(state);
    } catch (error) {
      this.#options.log('error', 'state.not-written', { reason: String(error) });
      this.#options.scheduler.after(this.#options.timing.retryMs, () => this.#store(next, done));
      return;
    }
    done();
  }

  #changeJob(change: Partial<Job>): void {
    const { job } = this.#state;
    if (job !== null) this.#commit({ ...this.#state, job: { ...job, ...change } });
  }

  #commit(state: RouterState): void {
    this.#options.store.commit(state);
  }
}

function areaOf({ kind, slot }: Job): FlashArea {
  return kind === 'config' ? 'config' : `slot-${slot}`;
}

function failure(errCode: number, errMsg: string): OperationResult {
  return { type: 'cmd_failure', errCode, errMsg };
}
