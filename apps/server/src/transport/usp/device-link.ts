import { UspError, type ParamError, type ResponseTo, type UspErrorBody } from '@highline/usp';
import { DomainError, required } from '../../kernel/failure.ts';
import { USERS } from '../../kernel/tr181.ts';
import type {
  DeviceLink,
  ObjectValues,
  OperateOptions,
  OperationFailure,
  OperationOutcome,
  PasswordOperation,
  RouterListener,
  RouterPart,
} from '../../platform/ports/index.ts';
import { NoResponse } from './exchange.ts';
import { toErrorFailure, toFailure } from './failures.ts';
import { commandOf, hasEntry, toUspCommand, type CommandOperation, type UspCommand } from './operations.ts';
import { readAll } from './reconcile/questions.ts';
import { setting } from './reconcile/settings-of.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';
import { readSupportedObjects } from './supported-objects.ts';
import { watchValues } from './watch-values.ts';

export interface DeviceLinkDeps {
  readonly sessions: Sessions;
  /** Reads a part of the router's state, and resolves when the result is committed. */
  refresh(session: Session, what: RouterPart): Promise<void>;
  /** Makes a router report its readings, or reads them where it cannot report. */
  sendReadings(session: Session, options: OperateOptions): Promise<OperationOutcome>;
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
    readValues: (routerId, paths, timeoutMs) =>
      withSession(routerId, async (session) => new Map((await readAll(session, paths, timeoutMs)).entries())),
    offers: (routerId, operation, timeoutMs) =>
      withSession(routerId, (session) => offersEntry(session, commandOf(operation), timeoutMs)),
    operate: (routerId, operation, options = {}) =>
      withSession(routerId, (session) => {
        if (operation.type === 'send-readings') return sendReadings(session, options);
        if (operation.type === 'set-values') return setObjects(session, [operation], options);
        if (operation.type === 'set-objects') return setObjects(session, operation.objects, options);
        if (operation.type === 'add-objects') return addObjects(session, operation.objects, options);
        if (operation.type === 'watch-values') return watchValues(session, operation.paths, options.timeoutMs);
        if (operation.type === 'delete-objects') return deleteObjects(session, operation.objects, options);
        if (operation.type === 'set-password') return setPassword(session, operation, options);
        return runCommand(session, operation, options);
      }),
    refresh: (routerId, what = 'updates') => withSession(routerId, (session) => refresh(session, what)),
    listen,
  };
}

async function offersEntry(
  session: Session,
  { object, name }: { readonly object: string; readonly name: string },
  timeoutMs?: number,
): Promise<boolean> {
  return hasEntry(required(await readSupportedObjects(session, [object], timeoutMs), 'router.no_answer'), { object, name });
}

async function runCommand(session: Session, operation: CommandOperation, options: OperateOptions): Promise<OperationOutcome> {
  return runUspCommand(session, toUspCommand(operation, session.primary.modem), options);
}

/**
 * Have a router run a command. Where it runs on after the answer, its end is reported with the key.
 * @throws NoResponse
 */
export async function runUspCommand(
  session: Session,
  command: UspCommand,
  { key = '', timeoutMs }: OperateOptions,
): Promise<OperationOutcome> {
  const request = { type: 'operate' as const, sendResp: true, commandKey: key, ...command };
  const outcome = toOutcome(await session.ask<'operate'>(request, timeoutMs));
  if (outcome.type === 'running') session.commandRuns(true);
  return outcome;
}

async function setObjects(
  session: Session,
  objects: readonly ObjectValues[],
  { timeoutMs }: OperateOptions,
): Promise<OperationOutcome> {
  const request = { type: 'set' as const, allowPartial: false, updateObjs: objects.map((each) => toSettings(each)) };
  const failure = rejectionOf(await session.ask<'set'>(request, timeoutMs));
  return failure === undefined ? DONE : { type: 'failed', ...failure };
}

const toSettings = ({ object, values }: ObjectValues) => ({
  objPath: object,
  paramSettings: Array.from(values, ([param, value]) => setting(param, value)),
});

async function addObjects(
  session: Session,
  objects: readonly ObjectValues[],
  { timeoutMs }: OperateOptions,
): Promise<OperationOutcome> {
  const createObjs = objects.map((each) => toSettings(each));
  const response = await session.ask<'add'>({ type: 'add', allowPartial: false, createObjs }, timeoutMs);
  if (response.type === 'error') return { type: 'failed', ...toErrorFailure(response) };
  const outputs = new Map<string, string>();
  for (const [at, { operStatus: status }] of response.createdObjResults.entries()) {
    if (status.type === 'oper_failure') return { type: 'failed', ...toFailure(status.errCode, status.errMsg) };
    const failure = failureOf([status]);
    if (failure !== undefined) return { type: 'failed', ...failure };
    outputs.set(String(at), status.instantiatedPath);
  }
  return outputs.size === objects.length ? { type: 'done', outputs } : { type: 'failed', ...NOTHING_THERE };
}

async function deleteObjects(
  session: Session,
  objPaths: readonly string[],
  { timeoutMs }: OperateOptions,
): Promise<OperationOutcome> {
  const response = await session.ask<'delete'>({ type: 'delete', allowPartial: false, objPaths: [...objPaths] }, timeoutMs);
  if (response.type === 'error') return { type: 'failed', ...toErrorFailure(response) };
  for (const { operStatus: status } of response.deletedObjResults)
    if (status.type === 'oper_failure') return { type: 'failed', ...toFailure(status.errCode, status.errMsg) };
  return DONE;
}

/** The user is chosen by its name (TR-369 "Searching with Expressions"), which the contract bounds to letters, digits and `._@-`. */
async function setPassword(
  session: Session,
  { username, password }: PasswordOperation,
  { timeoutMs }: OperateOptions,
): Promise<OperationOutcome> {
  const updateObjs = [{ objPath: `${USERS}[Username=="${username}"].`, paramSettings: [setting('Password', password)] }];
  const response = await session.ask<'set'>({ type: 'set', allowPartial: false, updateObjs }, timeoutMs);
  const failure = rejectionOf(response);
  if (failure !== undefined) return { type: 'failed', ...failure };
  const status = response.type === 'error' ? undefined : response.updatedObjResults[0]?.operStatus;
  const hasChanged = status?.type === 'oper_success' && status.updatedInstResults.length > 0;
  return hasChanged ? DONE : { type: 'failed', cause: 'rejected', code: null, message: `There is no user ${username}.` };
}

/** Why a Set changed nothing; undefined when it did. */
function rejectionOf(response: ResponseTo<'set'> | UspErrorBody): OperationFailure | undefined {
  if (response.type === 'error') return toErrorFailure(response);
  if (response.updatedObjResults.length === 0) return NOTHING_THERE;
  for (const { operStatus: status } of response.updatedObjResults) {
    const failure =
      status.type === 'oper_success'
        ? failureOf(status.updatedInstResults)
        : (failureOf(status.updatedInstFailures) ?? toFailure(status.errCode, status.errMsg));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

const DONE: OperationOutcome = { type: 'done', outputs: new Map() };

/** Meaning of an empty result list: no object matches the path. */
const NOTHING_THERE = toFailure(UspError.objectDoesNotExist, '');

/** How an agent answered Operate. An empty result list is a failure: nothing was done. */
export function toOutcome(response: ResponseTo<'operate'> | UspErrorBody): OperationOutcome {
  if (response.type === 'error') return { type: 'failed', ...toErrorFailure(response) };
  const result = response.operationResults[0]?.result;
  if (result === undefined) return { type: 'failed', ...NOTHING_THERE };
  if (result.type === 'cmd_failure') return { type: 'failed', ...toFailure(result.errCode, result.errMsg) };
  return result.type === 'req_output_args' ? { type: 'done', outputs: result.outputArgs } : { type: 'running' };
}

/** The first rejected parameter; every parameter of a Set from here is required. */
function failureOf(instances: readonly { readonly paramErrs: readonly ParamError[] }[]): OperationFailure | undefined {
  const first = instances.flatMap(({ paramErrs }) => paramErrs)[0];
  return first && toFailure(first.errCode, `${first.param}: ${first.errMsg}`);
}
