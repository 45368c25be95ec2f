import { isNotConnected, isUnreachable } from '../../../platform/ports/device-link.ts';
import type { DownloadPasswords } from './address.ts';
import type { RolloutRequest } from './apply.ts';
import { isStaged } from './plan.ts';
import type { RolloutStepEvent } from './events.ts';
import type { RolloutPassRequest } from './pass.ts';
import type { RolloutEvent } from './reconcile.ts';
import { createBootChoiceRevert, type BootChoiceRevertDeps } from './revert-boot-choice.ts';

export interface RolloutExecutorDeps extends BootChoiceRevertDeps {
  readonly passwords: DownloadPasswords;
  /** Base URL of the downloads, without a slash at its end. */
  readonly downloadUrl: () => string;
}

/** USP errors with which an agent says that it has no capacity for the command now. */
const BUSY_CODES: ReadonlySet<number> = new Set([7005, 7024]);

/**
 * Sends committed requests to routers, and never rejects. @returns the resulting event; undefined = no response, and the request is
 * repeated when it is due, or when the router is back
 */
export type RolloutExecutor = (request: RolloutPassRequest) => Promise<RolloutEvent | undefined>;

export function createRolloutExecutor(deps: RolloutExecutorDeps): RolloutExecutor {
  const revertBootChoice = createBootChoiceRevert(deps);
  return (request) => (request.type === 'revert-boot-choice' ? revertBootChoice(request.choice) : execute(deps, request));
}

const executors = { send, choose, check } as const;

async function execute(deps: RolloutExecutorDeps, request: RolloutRequest): Promise<RolloutEvent | undefined> {
  const { routerId } = request.work;
  const { stepKey: key } = request.target;
  try {
    const event = await executors[request.type](deps, request);
    return key === null ? undefined : { routerId, step: { key, event } };
  } catch (error) {
    // Its download slot is free again at once.
    if (isNotConnected(error) && request.type === 'send' && key !== null)
      return { routerId, step: { key, event: { type: 'undelivered' } } };
    if (!isUnreachable(error)) deps.log.error({ err: error, routerId }, 'Failed to send a rollout step to a router.');
    return undefined;
  }
}

async function send(deps: RolloutExecutorDeps, request: RolloutRequest): Promise<RolloutStepEvent> {
  const { work, target } = request;
  const name = work.desired.kind === 'firmware' ? 'Download()' : 'Restore()';
  const command = { command: `${target.slot}${name}`, commandKey: target.stepKey ?? '', inputArgs: argumentsOf(deps, request) };
  const response = await deps.deviceLink.operate(work.routerId, command, deps.responseMs);
  if (response.type === 'running') return { type: 'taken' };
  if (response.type === 'done') return { type: 'completed' };
  return BUSY_CODES.has(response.code) ? { type: 'busy' } : { type: 'completed', failure: response };
}

function argumentsOf(
  { passwords, downloadUrl }: RolloutExecutorDeps,
  { work, target }: RolloutRequest,
): ReadonlyMap<string, string> {
  const { desired, size, endpointId } = work;
  const stepKey = target.stepKey ?? '';
  return new Map([
    // Some agents name a file by the end of its address, not by TargetFileName.
    ['URL', `${downloadUrl()}/dl/${stepKey}/${fileNameOf(desired.label)}`],
    ['Username', endpointId],
    ['Password', passwords.of(stepKey)],
    ['FileSize', String(size)],
    ...(desired.kind === 'firmware' ? [['AutoActivate', String(!isStaged(work))] as const] : []),
    ...(desired.kind === 'config' ? [['TargetFileName', desired.label] as const] : []),
    ['CheckSumAlgorithm', 'SHA-256'],
    ['CheckSum', desired.sha256],
  ]);
}

/** The label as the last part of an address. Several proxies reject an encoded slash. */
function fileNameOf(label: string): string {
  return /^\.*$/u.test(label) ? 'file' : encodeURIComponent(label.replaceAll(/[/\\]/gu, '_'));
}

async function choose(
  { deviceLink, responseMs }: RolloutExecutorDeps,
  { work, target }: RolloutRequest,
): Promise<RolloutStepEvent> {
  const slot = (target.slot ?? '').replace(/\.$/u, '');
  const values = new Map([['BootFirmwareImage', slot]]);
  const failure = await deviceLink.set(work.routerId, 'Device.DeviceInfo.', values, responseMs);
  return failure === undefined ? { type: 'chosen' } : { type: 'completed', failure };
}

async function check({ deviceLink }: RolloutExecutorDeps, { work }: RolloutRequest): Promise<RolloutStepEvent> {
  await deviceLink.refresh(work.routerId);
  return { type: 'checked' };
}
