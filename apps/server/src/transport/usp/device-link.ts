import { UspError, type ParamError, type ResponseTo, type UspErrorBody } from '@highline/usp';
import { DomainError, required } from '../../kernel/failure.ts';
import type { CommandResponse, CommandFailure, DeviceLink, RouterListener } from '../../platform/ports/device-link.ts';
import { NoResponse } from './exchange.ts';
import { readAll } from './reconcile/questions.ts';
import { setting } from './reconcile/settings-of.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

export interface DeviceLinkDeps {
  readonly sessions: Sessions;
  /** Reads the router's current update state or SIMs, and resolves when the result is committed. */
  refresh(session: Session, what: 'updates' | 'sims'): Promise<void>;
  /** Makes a router report its readings, or reads them where it cannot report. */
  sendReadings(session: Session): Promise<CommandResponse>;
  listen(listener: RouterListener): void;
}

/** The port through which domains reach routers, over the sessions of this process. */
export function createDeviceLink({ sessions, refresh, sendReadings, listen }: DeviceLinkDeps): DeviceLink {
  const withSession = async <T>(routerId: string, ask: (session: Session) => Promise<T>): Promise<T> => {
    const session = required(sessions.find(routerId), 'router.not_connected');
    try {
      return await ask(session);
    } catch (error) {
      if (error instanceof NoResponse) throw new DomainError('router.no_answer');
      throw error;
    }
  };
  return {
    isConnected: (routerId) => sessions.find(routerId) !== undefined,
    awaitsSetUp: (routerId) => sessions.find(routerId)?.isSetUpTried === false,
    disconnect: (routerIds, reason) => sessions.disconnect(routerIds, reason),
    get: (routerId, paths, timeoutMs) =>
      withSession(routerId, async (session) => new Map((await readAll(session, paths, timeoutMs)).entries())),
    commandsOf: (routerId, objPath, timeoutMs) =>
      withSession(routerId, async (session) => {
        const flags = { returnCommands: true, returnEvents: false, returnParams: false, returnUniqueKeySets: false };
        const request = { type: 'get_supported_dm' as const, objPaths: [objPath], firstLevelOnly: true, ...flags };
        const response = await session.ask<'get_supported_dm'>(request, timeoutMs);
        const objects = response.type === 'error' ? [] : response.reqObjResults.flatMap(({ supportedObjs }) => supportedObjs);
        const own = objects.filter(({ supportedObjPath }) => supportedObjPath === objPath);
        return new Set(own.flatMap(({ supportedCommands }) => supportedCommands.map(({ commandName }) => commandName)));
      }),
    operate: (routerId, command, timeoutMs) =>
      withSession(routerId, async (session): Promise<CommandResponse> => {
        const response = await session.ask<'operate'>({ type: 'operate', sendResp: true, ...command }, timeoutMs);
        const result = responseOf(response);
        if (result.type === 'running') session.commandRuns(true);
        return result;
      }),
    sendReadings: (routerId) => withSession(routerId, sendReadings),
    set: (routerId, objPath, values, timeoutMs) =>
      withSession(routerId, async (session): Promise<CommandFailure | undefined> => {
        const paramSettings = Array.from(values, ([param, value]) => setting(param, value));
        const request = { type: 'set' as const, allowPartial: false, updateObjs: [{ objPath, paramSettings }] };
        const response = await session.ask<'set'>(request, timeoutMs);
        if (response.type === 'error') return failureOfError(response);
        const status = response.updatedObjResults[0]?.operStatus;
        if (status === undefined) return NOTHING_THERE;
        if (status.type === 'oper_success') return failureOf(status.updatedInstResults);
        return failureOf(status.updatedInstFailures) ?? { code: status.errCode, message: status.errMsg };
      }),
    refresh: (routerId, what = 'updates') => withSession(routerId, (session) => refresh(session, what)),
    listen,
  };
}

/** Meaning of an empty result list: no object matches the path. */
const NOTHING_THERE: CommandFailure = { code: UspError.objectDoesNotExist, message: '' };

/** How an agent answered Operate. An empty result list is a failure: nothing was done. */
export function responseOf(response: ResponseTo<'operate'> | UspErrorBody): CommandResponse {
  if (response.type === 'error') return { type: 'failed', ...failureOfError(response) };
  const result = response.operationResults[0]?.result;
  if (result === undefined) return { type: 'failed', ...NOTHING_THERE };
  if (result.type === 'cmd_failure') return { type: 'failed', code: result.errCode, message: result.errMsg };
  return { type: result.type === 'req_output_args' ? 'done' : 'running' };
}

/** An Error message about invalid arguments names its cause in the parameter errors. */
function failureOfError({ errCode, errMsg, paramErrs }: UspErrorBody): CommandFailure {
  const first = paramErrs[0];
  const code = errCode === UspError.invalidArguments && first !== undefined ? first.errCode : errCode;
  return { code, message: errMsg === '' ? (first?.errMsg ?? '') : errMsg };
}

/** The first rejected parameter; every parameter of a Set from here is required. */
function failureOf(instances: readonly { readonly paramErrs: readonly ParamError[] }[]): CommandFailure | undefined {
  const first = instances.flatMap(({ paramErrs }) => paramErrs)[0];
  return first && { code: first.errCode, message: `${first.param}: ${first.errMsg}` };
}
