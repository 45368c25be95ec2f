import type { Cancel } from '../platform/scheduler.ts';
import { withEsimEnd, withEsims, withoutProfile, withSwitching } from '../state/esims.ts';
import type { RouterState, SwitchJob } from '../state/state.ts';
import { byPriority } from './order.ts';
import type { EsimContext, RetryingSteps } from './context.ts';

/** Starts of a profile on trial without calling home. */
const MAX_TRIAL_BOOTS = 3;
const NOT_HOME = 'activation-failed: the router could not reach the cloud over this profile and went back to the one before';

/**
 * Switches to another profile, on command or because the current one is to be deleted. The new profile must call home within a
 * time limit, else the next one is tried, and finally the previous one: no command can make a reachable router unreachable. Every
 * step is stored before it is executed, so that it resumes after a power cut.
 */
export class ProfileSwitch {
  readonly #context: EsimContext;
  readonly #steps: RetryingSteps;
  #cancel: Cancel | undefined;
  /** The profile on trial is in use and waits for contact with the cloud. */
  #isProving = false;

  constructor(context: EsimContext, steps: RetryingSteps) {
    this.#context = context;
    this.#steps = steps;
  }

  get isProving(): boolean {
    return this.#isProving;
  }

  /** Continue the stored job, if it is a switch. */
  resume(): void {
    this.#steps.run(() => this.#go());
  }

  stop(): void {
    this.#cancel?.();
  }

  /** The cloud was reached over the profile on trial: keep it. */
  calledHome(): void {
    if (!this.#isProving) return;
    this.#isProving = false;
    this.#steps.run(() => this.#arrive());
  }

  #job(): SwitchJob | undefined {
    const { job } = this.#context.store.current().esims;
    return job === null || job.kind === 'download' ? undefined : job;
  }

  #go(): void {
    const job = this.#job();
    if (job === undefined) return;
    if (job.stage === 'accepted') return this.#decide(job);
    if (job.boots > MAX_TRIAL_BOOTS) return this.#giveUp(job);
    if (job.stage === 'return' && job.kind === 'enable') return this.#returnToPrevious(job);
    this.#prove(job.stage === 'return' ? job.previous : job.trying);
  }

  #decide(job: SwitchJob): void {
    const profiles = this.#context.euicc.profiles();
    const inUse = profiles.find((each) => each.inUse)?.iccid ?? '';
    if (job.kind === 'enable' && !profiles.some(({ iccid }) => iccid === job.iccid))
      return this.#end(this.#state, 'activation-failed: there is no such profile on the eUICC', job);
    if (job.kind === 'enable')
      return inUse === job.iccid ? this.#end(this.#state, null, job) : this.#try(job, inUse, [job.iccid]);
    if (inUse === job.iccid) return this.#try(job, inUse, this.#others(job));
    this.#context.euicc.remove(job.iccid);
    this.#end(withoutProfile(this.#state, job.iccid), null, job);
  }

  /** All but the one to delete, in trial order. */
  #others({ iccid }: SwitchJob): string[] {
    return byPriority(this.#context.euicc.profiles(), this.#state).filter((each) => each !== iccid);
  }

  #try(job: SwitchJob, previous: string, [trying, ...untried]: string[]): void {
    const tried = trying === undefined ? { stage: 'return' as const } : { stage: 'trial' as const, trying, untried };
    this.#commit(withSwitching(this.#state, this.#context.inUse(), { ...job, ...tried, previous, boots: 0 }));
    // A separate step: if it fails, only this one is retried.
    this.resume();
  }

  #prove(iccid: string): void {
    this.#use(iccid);
    this.#isProving = true;
    this.#cancel?.();
    this.#cancel = this.#context.scheduler.after(this.#context.timing.callHomeMs, () => {
      this.#isProving = false;
      this.#steps.run(() => {
        const job = this.#job();
        if (job !== undefined) this.#giveUp(job);
      });
    });
  }

  /** The current profile does not call home. */
  #giveUp(job: SwitchJob): void {
    this.#context.log('warn', 'esim.not-home', { stage: job.stage });
    if (job.stage === 'trial' && job.untried.length > 0) return this.#try(job, job.previous, job.untried);
    if (job.stage === 'trial') return this.#try(job, job.previous, []);
    // The end is reported over the WAN port.
    if (job.kind === 'delete' && this.#context.hasWan()) return this.#endBeforeOffline(job);
    // The profile to delete does not connect either: start over, until one does.
    this.#try(job, job.previous, this.#others(job));
  }

  #arrive(): void {
    const job = this.#job();
    if (job === undefined || job.stage === 'accepted') return;
    this.#cancel?.();
    if (job.kind === 'enable') return this.#end(this.#state, null, job);
    if (job.stage === 'return') return this.#endBeforeOffline(job);
    this.#context.euicc.remove(job.iccid);
    this.#end(withoutProfile(this.#state, job.iccid), null, job);
  }

  /** The requested profile does not call home; return to the previous one, which reports it. */
  #returnToPrevious(job: SwitchJob): void {
    this.#use(job.previous);
    this.#end(this.#state, NOT_HOME, job);
  }

  /** None of the others connects: report the end while still connected, and only then delete the profile. */
  #endBeforeOffline(job: SwitchJob): void {
    const farewell = { commandKey: job.commandKey, iccid: job.iccid };
    this.#end(withEsims(this.#state, { farewell }), null, job);
  }

  #use(iccid: string): void {
    this.#context.euicc.enable(iccid);
    this.#context.log('info', 'esim.switched', { iccid });
    this.#context.on.reconnect();
  }

  #end(state: RouterState, failure: string | null, { objPath, iccid, kind }: SwitchJob): void {
    this.#isProving = false;
    // The command's own object is the profile.
    const outputs = { Profile: objPath, ICCID: iccid };
    this.#commit(withEsimEnd(state, failure, failure === null ? outputs : {}));
    this.#context.log(failure === null ? 'info' : 'warn', `esim.${kind}-ended`, { reason: failure ?? '' });
    this.#context.on.changed();
    this.#context.on.ended();
  }

  get #state(): RouterState {
    return this.#context.store.current();
  }

  #commit(state: RouterState): void {
    this.#context.store.commit(state);
  }
}
