import { type OperationResult, UspError } from '@highline/usp';
import { outcomeOf } from '../notifications/ends.ts';
import type { Cancel } from '../platform/scheduler.ts';
import { afterEsimEndDelivered, withEsimJob, withEsims, withoutProfile } from '../state/esims.ts';
import type { EsimEnd, EsimState, EsimJobRequest } from '../state/state.ts';
import { ProfileDownload } from './download.ts';
import { AccessPointTrial } from './access-point.ts';
import { byPriority } from './order.ts';
import { NetworkFailover } from './network-failover.ts';
import { type EsimContext, RetryingSteps, useProfile } from './context.ts';
import { ProfileSwitch } from './switch.ts';

/**
 * Executes eSIM commands one at a time; each is stored before it is answered. A started command is completed over any number of
 * restarts, and its end is kept until the cloud has acknowledged it.
 */
export class Esims {
  readonly #context: EsimContext;
  readonly #controllerId: string;
  readonly #steps: RetryingSteps;
  readonly #download: ProfileDownload;
  readonly #switch: ProfileSwitch;
  readonly #failover: NetworkFailover;
  readonly #accessPoint: AccessPointTrial;
  #cancelBegin: Cancel | undefined;

  constructor(context: EsimContext, controllerId: string) {
    const ended = () => {
      context.on.ended();
      this.#failover.follow();
      this.#accessPoint.follow();
    };
    this.#context = { ...context, on: { ...context.on, ended } };
    this.#controllerId = controllerId;
    this.#steps = new RetryingSteps(this.#context);
    this.#download = new ProfileDownload(this.#context);
    this.#switch = new ProfileSwitch(this.#context, this.#steps);
    this.#accessPoint = new AccessPointTrial(this.#context, this.#steps);
    this.#failover = new NetworkFailover(this.#context, this.#steps, this.#accessPoint);
  }

  get undelivered(): readonly EsimEnd[] {
    return this.#esims.ended.filter(({ delivered }) => !delivered);
  }

  get #esims(): EsimState {
    return this.#context.store.current().esims;
  }

  /** Whether the current profile, or its APN, has a time limit to call home. */
  get isOnTrial(): boolean {
    return this.#switch.isProving || this.#accessPoint.isProving;
  }

  /** The router has started: continue the current job. Call before connecting, so that the right profile is used. */
  start(): void {
    this.#download.start();
    this.#switch.resume();
    this.#steps.run(() => this.#deleteDeferred());
    this.#failover.follow();
    this.#accessPoint.start();
  }

  stop(): void {
    this.#accessPoint.stop();
    this.#cancelBegin?.();
    this.#steps.stop();
    this.#download.stop();
    this.#switch.stop();
    this.#failover.stop();
  }

  /** There is no network: downloads wait. */
  onCoverageLost(): void {
    this.#download.onCoverageLost();
  }

  onCoverageRestored(): void {
    this.#download.onCoverageRestored();
  }

  /** The network registration of a profile has changed. */
  networkChanged(): void {
    this.#context.on.reconnect();
    this.#failover.follow();
  }

  /**
   * Start a job for a command. The same key is the same job: it is answered, and not started twice.
   * @throws Error when it could not be stored
   */
  begin(request: EsimJobRequest): OperationResult {
    const { job, ended, farewell } = this.#esims;
    const isIt = ({ commandKey }: { commandKey: string }) => commandKey !== '' && commandKey === request.commandKey;
    if (job !== null && isIt(job)) return { type: 'req_obj_path', value: job.requestPath };
    const known = ended.find(isIt);
    if (known !== undefined) return outcomeOf(known.failure, known.outputs);
    if (job !== null || farewell !== null) return busy('another change of eSIM profiles is under way');
    if (request.kind !== 'download' && this.#context.store.current().trial !== null)
      return busy('what was installed last is still on trial');
    this.#context.store.commit(withEsimJob(this.#context.store.current(), request, this.#controllerId));
    // The end must not be sent before the response, and a switch must not cut the response off.
    this.#cancelBegin = this.#context.scheduler.after(this.#context.timing.graceMs, () => {
      this.#download.start();
      this.#switch.resume();
    });
    this.#failover.follow();
    return { type: 'req_obj_path', value: this.#esims.job?.requestPath ?? '' };
  }

  /** Settings of profiles may have changed. */
  settingsChanged(): void {
    this.#accessPoint.follow();
  }

  /** The cloud was reached over the current profile. */
  calledHome(): void {
    this.#switch.calledHome();
    this.#accessPoint.calledHome();
    this.#failover.follow();
  }

  delivered(commandKey: string): void {
    this.#context.store.commit(afterEsimEndDelivered(this.#context.store.current(), commandKey));
    this.#steps.run(() => this.#deleteDeferred());
  }

  /** Delete the only profile that connects, now that the controller has acknowledged the end of the command. */
  #deleteDeferred(): void {
    const { farewell, ended } = this.#esims;
    if (farewell === null || ended.some((end) => end.commandKey === farewell.commandKey && !end.delivered)) return;
    const { euicc, store } = this.#context;
    const profiles = euicc.profiles();
    const [next] = byPriority(profiles, store.current()).filter((iccid) => iccid !== farewell.iccid);
    // Another profile may be in use meanwhile, because this one had lost its network.
    const isInUse = profiles.some(({ iccid, inUse }) => inUse && iccid === farewell.iccid);
    if (isInUse && next !== undefined) useProfile(this.#context, next);
    euicc.remove(farewell.iccid);
    store.commit(withEsims(withoutProfile(store.current(), farewell.iccid), { farewell: null }));
    this.#context.log('warn', 'esim.last-deleted');
    if (isInUse) this.#context.on.reconnect();
    this.#failover.follow();
  }
}

function busy(errMsg: string): OperationResult {
  return { type: 'cmd_failure', errCode: UspError.resourcesExceeded, errMsg };
}
