import { isUnreachable, type DeviceLink } from '../../../platform/ports/device-link.ts';
import type { Log } from '../../../platform/ports/log.ts';
import type { DownloadPasswords } from './address.ts';
import type { StepAction } from './apply-step.ts';
import { isStaged } from './next-step.ts';
import type { StepEvent } from './events.ts';

export interface ExecutorDeps {
  readonly deviceLink: DeviceLink;
  readonly passwords: DownloadPasswords;
  readonly log: Log;
  /** Base URL of the downloads, without a slash at its end. */
  readonly downloadUrl: () => string;
  readonly answerMs: number;
}

/** USP errors with which an agent says that it has no capacity for the command now. */
const BUSY_CODES: ReadonlySet<number> = new Set([7005, 7024]);

/** Sends committed requests to routers. @returns the resulting event, undefined when the router did not answer */
export type Executor = (action: StepAction) => Promise<StepEvent | undefined>;

/** A sender that never rejects: a missing answer is no event, and the step is sent again later. */
export function createExecutor(deps: ExecutorDeps): Executor {
  const asks = { send, choose, check } as const;
  return async (action) => {
    try {
      return await asks[action.type](deps, action);
    } catch (error) {
      // Sent again when it is due, or when the router is back.
      if (isUnreachable(error)) return undefined;
      deps.log.error({ err: error, routerId: action.work.routerId }, 'Failed to send a rollout step to a router.');
      return undefined;
    }
  };
}

async function send(deps: ExecutorDeps, action: StepAction): Promise<StepEvent> {
  const { work, target } = action;
  const name = work.desired.kind === 'firmware' ? 'Download()' : 'Restore()';
  const command = { command: `${target.slot}${name}`, commandKey: target.stepKey ?? '', inputArgs: argumentsOf(deps, action) };
  const answer = await deps.deviceLink.operate(work.routerId, command, deps.answerMs);
  if (answer.type === 'running') return { type: 'taken' };
  if (answer.type === 'done') return { type: 'completed' };
  return BUSY_CODES.has(answer.code) ? { type: 'busy' } : { type: 'completed', failure: answer };
}

function argumentsOf({ passwords, downloadUrl }: ExecutorDeps, { work, target }: StepAction): ReadonlyMap<string, string> {
  const { desired, size, endpointId } = work;
  const stepKey = target.stepKey ?? '';
  return new Map([
    ['URL', `${downloadUrl()}/dl/${stepKey}`],
    ['Username', endpointId],
    ['Password', passwords.of(stepKey)],
    ['FileSize', String(size)],
    ...(desired.kind === 'firmware' ? [['AutoActivate', String(!isStaged(work))] as const] : []),
    ...(desired.kind === 'config' ? [['TargetFileName', desired.label] as const] : []),
    ['CheckSumAlgorithm', 'SHA-256'],
    ['CheckSum', desired.sha256],
  ]);
}

async function choose({ deviceLink, answerMs }: ExecutorDeps, { work, target }: StepAction): Promise<StepEvent> {
  const slot = (target.slot ?? '').replace(/\.$/u, '');
  const values = new Map([['BootFirmwareImage', slot]]);
  const failure = await deviceLink.set(work.routerId, 'Device.DeviceInfo.', values, answerMs);
  return failure === undefined ? { type: 'chosen' } : { type: 'completed', failure };
}

async function check({ deviceLink }: ExecutorDeps, { work }: StepAction): Promise<StepEvent> {
  await deviceLink.refresh(work.routerId);
  return { type: 'checked' };
}
