import { esims } from '@highline/contract';
import { DomainError } from '../../../kernel/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { isNotConnected, isUnreachable } from '../../../platform/ports/device-link.ts';
import type { CodeSeal } from '../code.seal.ts';
import type { Row } from './facts.ts';
import type { EsimRequest } from './apply.ts';
import type { EsimPassRequest } from './pass.ts';
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

/** USP error for what failed for a reason that no other code names (TR-369 "Error Codes"). */
const INTERNAL_ERROR = 7_003;

export function createEsimExecutor(deps: EsimExecutorDeps): EsimExecutor {
  return ({ routerId, request }) => execute(deps, routerId, request);
}

async function execute(deps: EsimExecutorDeps, routerId: string, request: EsimRequest): Promise<EsimEvent | undefined> {
  try {
    if (request.type === 'operate') return await operate(deps, routerId, request);
    if (request.type === 'set') await deps.deviceLink.set(routerId, request.path, request.values, deps.responseMs);
    await deps.deviceLink.refresh(routerId, 'sims');
    return { routerId };
  } catch (error) {
    if (error instanceof DomainError && error.key === 'secret.unreadable' && request.type === 'operate') {
      const failure = { code: INTERNAL_ERROR, message: error.message };
      return { routerId, step: { key: request.row.stepKey ?? '', event: { type: 'failed', failure } } };
    }
    if (isNotConnected(error) && request.type === 'operate')
      return { routerId, step: { key: request.row.stepKey ?? '', event: { type: 'undelivered' } } };
    if (!isUnreachable(error)) deps.log.error({ err: error, routerId }, 'Failed to send an eSIM step to a router.');
    // Without a response its earlier report stays valid.
    return request.type === 'operate' ? undefined : { routerId };
  }
}

type Operate = Extract<EsimRequest, { type: 'operate' }>;

async function operate(deps: EsimExecutorDeps, routerId: string, { row, step, simPath }: Operate): Promise<EsimEvent> {
  const command = {
    download: `${simPath}X_HIGHLINE_DownloadProfile()`,
    enable: `${row.path}X_HIGHLINE_Enable()`,
    delete: `${row.path}X_HIGHLINE_Delete()`,
  }[step];
  const inputArgs = step === 'download' ? downloadArgs(deps.codes, row) : new Map<string, string>();
  const key = row.stepKey ?? '';
  const response = await deps.deviceLink.operate(routerId, { command, commandKey: key, inputArgs }, deps.responseMs);
  if (response.type === 'running') return { routerId, step: { key, event: { type: 'taken' } } };
  if (response.type === 'done') return { routerId, step: { key, event: { type: 'completed', outputs: new Map() } } };
  return { routerId, step: { key, event: { type: 'failed', failure: response } } };
}

function downloadArgs(codes: CodeSeal, row: Row): ReadonlyMap<string, string> {
  const { id, sealedCode, sealedConfirmation } = row;
  const code = sealedCode === null ? esims.PRELOAD : codes.open(id, Buffer.from(sealedCode, 'hex'));
  const confirmation = sealedConfirmation === null ? '' : codes.confirmation.open(id, Buffer.from(sealedConfirmation, 'hex'));
  return new Map([
    ['ActivationCode', code],
    ['ConfirmationCode', confirmation],
    ['ICCID', row.iccid],
    ['Name', row.name],
    ['APN', row.apn],
    ['APN2', row.apn2],
    ['Priority', String(row.priority)],
  ]);
}
