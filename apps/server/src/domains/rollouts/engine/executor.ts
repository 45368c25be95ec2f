import { INFO } from '../../../kernel/tr181.ts';
import { isNotConnected, isUnreachable, type RouterOperation } from '../../../platform/ports/index.ts';
import type { DownloadPasswords } from './address.ts';
import type { RolloutRequest } from './apply.ts';
import { isStaged } from './plan.ts';
import type { SettingsFault } from '../../router-settings/index.ts';
import type { RolloutStepEvent } from './events.ts';
import type { RolloutPassRequest } from './pass.ts';
import type { RolloutEvent } from './reconcile.ts';
import { createBootChoiceRevert, revertBootChoice, type BootChoiceRevertDeps } from './revert-boot-choice.ts';

export interface RolloutExecutorDeps extends BootChoiceRevertDeps {
  readonly passwords: DownloadPasswords;
  /** Base URL of the downloads, without a slash at its end. */
  readonly downloadUrl: () => string;
  /**
   * Change what differs from the settings of its device on a router. The same key is the same attempt: what the router returned from is not sent
   * again.
   * @returns why they are not in force; undefined = they are
   * @throws DomainError `router.not_connected`, `router.no_answer`
   */
  readonly applySettings: (routerId: string, key: string) => Promise<SettingsFault | undefined>;
}

/**
 * Sends committed requests to routers, and never rejects. @returns the resulting event; undefined = no response, and the request is
 * repeated when it is due, or when the router is back
 */
export type RolloutExecutor = (request: RolloutPassRequest) => Promise<RolloutEvent | undefined>;

export function createRolloutExecutor(deps: RolloutExecutorDeps): RolloutExecutor {
  const revertEnded = createBootChoiceRevert(deps);
  return (request) => (request.type === 'revert-boot-choice' ? revertEnded(request.choice) : execute(deps, request));
}

const executors = { send, choose, revert, check } as const;

async function execute(deps: RolloutExecutorDeps, request: RolloutRequest): Promise<RolloutEvent | undefined> {
  const { routerId } = request.work;
  const { stepKey: key } = request.target;
  try {
    const event = await executors[request.type](deps, request);
    return key === null || event === undefined ? undefined : { routerId, step: { key, event } };
  } catch (error) {
    // Its download slot is free again at once. Settings may be why the router left: they go on under the same key when it is back.
    const isUnsent = isNotConnected(error) && request.work.desired.kind !== 'settings';
    if (isUnsent && request.type === 'send' && key !== null) return { routerId, step: { key, event: { type: 'undelivered' } } };
    if (!isUnreachable(error)) deps.log.error({ err: error, routerId }, 'Failed to send a rollout step to a router.');
    return undefined;
  }
}

async function send(deps: RolloutExecutorDeps, request: RolloutRequest): Promise<RolloutStepEvent> {
  const { work, target } = request;
  if (work.desired.kind === 'settings')
    return { type: 'applied', fault: await deps.applySettings(work.routerId, target.stepKey ?? '') };
  const options = { key: target.stepKey ?? '', timeoutMs: deps.responseMs };
  const outcome = await deps.deviceLink.operate(work.routerId, operationOf(deps, request), options);
  if (outcome.type === 'done') return { type: 'completed' };
  if (outcome.type !== 'failed') return { type: 'taken' };
  return outcome.cause === 'busy' ? { type: 'busy', failure: outcome } : { type: 'completed', failure: outcome };
}

function operationOf({ passwords, downloadUrl }: RolloutExecutorDeps, { work, target }: RolloutRequest): RouterOperation {
  const { desired, size, endpointId } = work;
  const stepKey = target.stepKey ?? '';
  const slot = target.slot ?? '';
  const file = {
    // Some agents name a file by the end of its address, not by the name that is sent with it.
    url: `${downloadUrl()}/dl/${stepKey}/${fileNameOf(desired.label)}`,
    username: endpointId,
    password: passwords.of(stepKey),
    size,
    sha256: desired.sha256,
  };
  return desired.kind === 'firmware'
    ? { type: 'install-firmware', slot, file, activates: !isStaged(work) }
    : { type: 'restore-config', slot, file, name: desired.label };
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
  const choice = { type: 'set-values', object: INFO, values: new Map([['BootFirmwareImage', slot]]) } as const;
  const outcome = await deviceLink.operate(work.routerId, choice, { timeoutMs: responseMs });
  return outcome.type === 'failed' ? { type: 'completed', failure: outcome } : { type: 'chosen' };
}

/** @returns undefined without a response */
async function revert(deps: RolloutExecutorDeps, { work, target }: RolloutRequest): Promise<RolloutStepEvent | undefined> {
  const result = await revertBootChoice(deps, { routerId: work.routerId, slot: target.slot ?? '' });
  return result && { type: result === 'rejected' ? 'not-reverted' : result };
}

async function check({ deviceLink }: RolloutExecutorDeps, { work }: RolloutRequest): Promise<RolloutStepEvent> {
  await deviceLink.refresh(work.routerId);
  return { type: 'checked' };
}
