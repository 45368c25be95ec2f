import { esims } from '@highline/contract';
import { DomainError } from '../../../kernel/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { isNotConnected, isUnreachable, type ProfileOperation } from '../../../platform/ports/index.ts';
import type { CodeSeal } from '../code.seal.ts';
import type { EsimRequest } from './apply.ts';
import type { SettingsEvent } from './events.ts';
import type { EsimPassRequest } from './pass.ts';
import { settingsText } from './plan.ts';
import type { EsimEvent } from './reconcile.ts';

export interface EsimExecutorDeps extends Pick<Deps, 'deviceLink' | 'log'> {
  readonly codes: CodeSeal;
  readonly responseMs: number;
}

/**
 * Sends committed requests to routers, and never rejects. @returns the resulting event; undefined = no response, and the request is
 * repeated when it is due, or when the router is back
 */
export type EsimExecutor = (request: EsimPassRequest) => Promise<EsimEvent | undefined>;

export function createEsimExecutor(deps: EsimExecutorDeps): EsimExecutor {
  return ({ routerId, request }) => execute(deps, routerId, request);
}

async function execute(deps: EsimExecutorDeps, routerId: string, request: EsimRequest): Promise<EsimEvent | undefined> {
  try {
    if (request.type === 'operate') return await operate(deps, routerId, request);
    if (request.type === 'set') {
      const { path: object, values } = request;
      await deps.deviceLink.operate(routerId, { type: 'set-values', object, values }, { timeoutMs: deps.responseMs });
      return { routerId, settings: settingsEvent(request, 'answered') };
    }
    await deps.deviceLink.refresh(routerId, 'sims');
    return { routerId };
  } catch (error) {
    if (error instanceof DomainError && error.key === 'secret.unreadable' && request.type === 'operate') {
      const failure = { cause: 'rejected', code: null, message: error.message } as const;
      return { routerId, step: { key: request.row.stepKey ?? '', event: { type: 'failed', failure } } };
    }
    if (isNotConnected(error) && request.type === 'operate')
      return { routerId, step: { key: request.row.stepKey ?? '', event: { type: 'undelivered' } } };
    if (isNotConnected(error) && request.type === 'set') return { routerId, settings: settingsEvent(request, 'undelivered') };
    if (!isUnreachable(error)) deps.log.error({ err: error, routerId }, 'Failed to send an eSIM step to a router.');
    // Without a response its earlier report stays valid.
    return request.type === 'operate' ? undefined : { routerId };
  }
}

function settingsEvent({ id, values }: Extract<EsimRequest, { type: 'set' }>, type: SettingsEvent['type']): SettingsEvent {
  return { id, sent: settingsText(values), type };
}

type Operate = Extract<EsimRequest, { type: 'operate' }>;

async function operate(deps: EsimExecutorDeps, routerId: string, request: Operate): Promise<EsimEvent> {
  const key = request.row.stepKey ?? '';
  const options = { key, timeoutMs: deps.responseMs };
  const outcome = await deps.deviceLink.operate(routerId, operationOf(deps.codes, request), options);
  if (outcome.type === 'done') return { routerId, step: { key, event: { type: 'completed', outputs: outcome.outputs } } };
  if (outcome.type === 'failed') return { routerId, step: { key, event: { type: 'failed', failure: outcome } } };
  return { routerId, step: { key, event: { type: 'taken' } } };
}

function operationOf(codes: CodeSeal, { row, step, simPath }: Operate): ProfileOperation {
  if (step !== 'download') return { type: step === 'enable' ? 'enable-profile' : 'delete-profile', profile: row.path ?? '' };
  const { id, sealedCode, sealedConfirmation, iccid, name, apn, apn2, priority } = row;
  const activationCode = sealedCode === null ? esims.PRELOAD : codes.open(id, Buffer.from(sealedCode, 'hex'));
  const confirmationCode = sealedConfirmation === null ? '' : codes.confirmation.open(id, Buffer.from(sealedConfirmation, 'hex'));
  return { type: 'download-profile', sim: simPath, activationCode, confirmationCode, iccid, name, apn, apn2, priority };
}
