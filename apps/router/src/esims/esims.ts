import { type OperationResult, UspError } from '@highline/usp';
import { outcomeOf } from '../notifications/ends.ts';
import type { Cancel } from '../platform/scheduler.ts';
import { afterEsimEndDelivered, withEsimJob, withEsims, withoutProfile } from '../state/esims.ts';
import type { EsimEnd, EsimState, WantedEsimJob } from '../state/state.ts';
import { ProfileDownload } from './download.ts';
import { AccessPointTrial } from './access-point.ts';
import { byPriority } from './order.ts';
import { Rescue } from './rescue.ts';
import { type EsimRoom, SureSteps } from './room.ts';
import { ProfileSwitch } from './switch.ts';

/**
 * Carries out what the cloud wants of the profiles on the eUICC, one command at a time, each stored before it is answered. What it has
 * begun it ends, over any number of starts, and it keeps the end until the cloud has taken it.
 */
export class Esims {
  readonly #room: EsimRoom;
  readonly #controllerId: string;
  readonly #steps: SureSteps;
  readonly #download: ProfileDownload;
  readonly #switch: ProfileSwitch;
  readonly #rescue: Rescue;
  readonly #accessPoint: AccessPointTrial;
  #cancelBegin: Cancel | undefined;

  constructor(room: EsimRoom, controllerId: string) {
    const ended = () => {
      room.on.ended();
      this.#rescue.follow();
      this.#accessPoint.follow();
    };
    this.#room = { ...room, on: { ...room.on, ended } };
    this.#controllerId = controllerId;
    this.#steps = new SureSteps(this.#room);
    this.#download = new ProfileDownload(this.#room);
    this.#switch = new ProfileSwitch(this.#room, this.#steps);
    this.#rescue = new Rescue(this.#room, this.#steps);
    this.#accessPoint = new AccessPointTrial(this.#room, this.#steps);
  }

  get undelivered(): readonly EsimEnd[] {
    return this.#esims.ended.filter(({ delivered }) => !delivered);
  }

  get #esims(): EsimState {
    return this.#room.store.current().esims;
  }

  /** The router has started: what was under way goes on. Before it connects, so that it does so over the right profile. */
  start(): void {
    this.#download.start();
    this.#switch.resume();
    this.#steps.take(() => this.#sayFarewell());
    this.#rescue.follow();
    this.#accessPoint.start();
  }

  stop(): void {
    this.#accessPoint.stop();
    this.#cancelBegin?.();
    this.#steps.stop();
    this.#download.stop();
    this.#switch.stop();
    this.#rescue.stop();
  }

  /** Coverage is gone: what comes over the air waits. */
  goDark(): void {
    this.#download.goDark();
  }

  comeBack(): void {
    this.#download.comeBack();
  }

  /** Networks have taken a profile up, or do not any more. */
  networkChanged(): void {
    this.#room.on.reconnect();
    this.#rescue.follow();
  }

  /**
   * A command asks for a job. The same key again is the same job: it is answered, and not begun twice.
   * @throws Error when it could not be stored
   */
  begin(wanted: WantedEsimJob): OperationResult {
    const { job, ended, farewell } = this.#esims;
    const isIt = ({ commandKey }: { commandKey: string }) => commandKey !== '' && commandKey === wanted.commandKey;
    if (job !== null && isIt(job)) return { type: 'req_obj_path', value: job.requestPath };
    const known = ended.find(isIt);
    if (known !== undefined) return outcomeOf(known.failure, known.outputs);
    if (job !== null || farewell !== null) return busy('another change of eSIM profiles is under way');
    if (wanted.kind !== 'download' && this.#room.store.current().trial !== null)
      return busy('what was installed last is still on trial');
    this.#room.store.commit(withEsimJob(this.#room.store.current(), wanted, this.#controllerId));
    // Its end must not overtake the answer to it, and a switch not cut it off.
    this.#cancelBegin = this.#room.scheduler.after(this.#room.timing.graceMs, () => {
      this.#download.start();
      this.#switch.resume();
    });
    this.#rescue.follow();
    return { type: 'req_obj_path', value: this.#esims.job?.requestPath ?? '' };
  }

  /** Settings of profiles may have changed. */
  settingsChanged(): void {
    this.#accessPoint.follow();
  }

  /** The cloud has spoken over the profile in use. */
  calledHome(): void {
    this.#switch.calledHome();
    this.#accessPoint.calledHome();
  }

  delivered(commandKey: string): void {
    this.#room.store.commit(afterEsimEndDelivered(this.#room.store.current(), commandKey));
    this.#steps.take(() => this.#sayFarewell());
  }

  /** The controller knows that the only profile that connects goes: now it does. */
  #sayFarewell(): void {
    const { farewell, ended } = this.#esims;
    if (farewell === null || ended.some((end) => end.commandKey === farewell.commandKey && !end.delivered)) return;
    const { euicc, store } = this.#room;
    const profiles = euicc.profiles();
    const [next] = byPriority(profiles, store.current()).filter((iccid) => iccid !== farewell.iccid);
    // Another may have come into use meanwhile, because this one had lost its network.
    const isInUse = profiles.some(({ iccid, inUse }) => inUse && iccid === farewell.iccid);
    if (isInUse && next !== undefined) euicc.enable(next);
    euicc.remove(farewell.iccid);
    store.commit(withEsims(withoutProfile(store.current(), farewell.iccid), { farewell: null }));
    this.#room.log('warn', 'esim.last-deleted');
    if (isInUse) this.#room.on.reconnect();
    this.#rescue.follow();
  }
}

function busy(errMsg: string): OperationResult {
  return { type: 'cmd_failure', errCode: UspError.resourcesExceeded, errMsg };
}
