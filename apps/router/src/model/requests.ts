import { USP_VERSION, UspError } from '@highline/usp';
import type { UspErrorBody, UspRequest, UspResponse } from '@highline/usp';
import { type RouterControl, type RouterView, UspFault } from './definition.ts';
import { type Transaction, type RowStore, beginTransaction } from './transaction.ts';
import type { Model } from './model.ts';
import { type RunningCommands, respondToOperate } from './operate.ts';
import { respondToGet, respondToGetInstances } from './read.ts';
import { respondToGetSupportedDm } from './supported.ts';
import { type WriteResponse, respondToAdd, respondToDelete, respondToSet } from './write.ts';

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
export function respondToRequest(context: RequestContext, request: UspRequest): UspResponse | UspErrorBody {
  try {
    return respond(context, request);
  } catch (error) {
    const code = error instanceof UspFault ? error.code : UspError.internalError;
    return failed(code, error instanceof Error ? error.message : String(error));
  }
}

function respond(context: RequestContext, request: UspRequest): UspResponse | UspErrorBody {
  const { model, router, control, running } = context;
  switch (request.type) {
    case 'get':
      return respondToGet(model, router, request);
    case 'get_instances':
      return respondToGetInstances(model, router, request);
    case 'get_supported_dm':
      return respondToGetSupportedDm(model, request);
    case 'get_supported_protocol':
      return { type: 'get_supported_protocol_resp', agentSupportedProtocolVersions: SUPPORTED_VERSIONS };
    case 'set':
      return write(context, (transaction) => respondToSet(model, transaction, request));
    case 'add':
      return write(context, (transaction) => respondToAdd(model, transaction, request));
    case 'delete':
      return write(context, (transaction) => respondToDelete(model, transaction, request));
    case 'operate':
      return respondToOperate(model, router, control, running, request);
    case 'notify':
    case 'register':
    case 'deregister':
    case 'unknown':
      return failed(UspError.messageNotSupported, `this agent does not support ${request.type}`);
  }
}

function write(context: RequestContext, change: (transaction: Transaction) => WriteResponse): WriteResponse {
  const transaction = beginTransaction(context.router, context.rowStore);
  const responded = change(transaction);
  if (responded.type === 'error') return responded;
  transaction.save();
  context.changed(transaction);
  return responded;
}

function failed(errCode: number, errMsg: string): UspErrorBody {
  return { type: 'error', errCode, errMsg, paramErrs: [] };
}
