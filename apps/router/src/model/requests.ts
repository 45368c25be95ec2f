import { USP_VERSION, UspError } from '@highline/usp';
import type { UspErrorBody, UspRequest, UspResponse } from '@highline/usp';
import { type RouterControl, type RouterView, UspFault } from './definition.ts';
import { type Transaction, type RowStore, beginTransaction } from './transaction.ts';
import type { Model } from './model.ts';
import { type RunningCommands, answerOperate } from './operate.ts';
import { answerGet, answerGetInstances } from './read.ts';
import { answerGetSupportedDm } from './supported.ts';
import { type WriteAnswer, answerAdd, answerDelete, answerSet } from './write.ts';

export type RequestContext = {
  model: Model;
  router: RouterView;
  rowStore: RowStore;
  control: RouterControl;
  running: RunningCommands;
  /** Rows have changed and are stored. */
  changed(transaction: Transaction): void;
};

/** Supported versions, as listed by GetSupportedProtocol. */
const SUPPORTED_VERSIONS = `1.2,${USP_VERSION}`;

/**
 * Answer any request of a controller. Never throws: an unexpected error, e.g. a full disk, is answered with 7003, and the
 * router's state stays unchanged.
 */
export function answerRequest(context: RequestContext, request: UspRequest): UspResponse | UspErrorBody {
  try {
    return answer(context, request);
  } catch (error) {
    const code = error instanceof UspFault ? error.code : UspError.internalError;
    return failed(code, error instanceof Error ? error.message : String(error));
  }
}

function answer(context: RequestContext, request: UspRequest): UspResponse | UspErrorBody {
  const { model, router, control, running } = context;
  switch (request.type) {
    case 'get':
      return answerGet(model, router, request);
    case 'get_instances':
      return answerGetInstances(model, router, request);
    case 'get_supported_dm':
      return answerGetSupportedDm(model, request);
    case 'get_supported_protocol':
      return { type: 'get_supported_protocol_resp', agentSupportedProtocolVersions: SUPPORTED_VERSIONS };
    case 'set':
      return write(context, (transaction) => answerSet(model, transaction, request));
    case 'add':
      return write(context, (transaction) => answerAdd(model, transaction, request));
    case 'delete':
      return write(context, (transaction) => answerDelete(model, transaction, request));
    case 'operate':
      return answerOperate(model, router, control, running, request);
    case 'notify':
    case 'register':
    case 'deregister':
    case 'unknown':
      return failed(UspError.messageNotSupported, `this agent does not support ${request.type}`);
  }
}

function write(context: RequestContext, change: (transaction: Transaction) => WriteAnswer): WriteAnswer {
  const transaction = beginTransaction(context.router, context.rowStore);
  const answered = change(transaction);
  if (answered.type === 'error') return answered;
  transaction.save();
  context.changed(transaction);
  return answered;
}

function failed(errCode: number, errMsg: string): UspErrorBody {
  return { type: 'error', errCode, errMsg, paramErrs: [] };
}
