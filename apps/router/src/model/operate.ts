import { UspError, splitLeaf } from '@highline/usp';
import type { Failure, OperateRequest, OperationOutcome, OperationResult, ResponseTo } from '@highline/usp';
import { type CommandDef, type RouterControl, type RouterView, UspFault } from './definition.ts';
import { type Located, type Model, locate } from './model.ts';

/** Registry of asynchronous commands: a Request object while they run, an OperationComplete notification when they end. */
export type RunningCommands = {
  /** @returns the path of the Request object */
  begin(command: { objPath: string; name: string; commandKey: string }): string;
  end(requestPath: string, outcome: OperationOutcome): void;
};

/** Answer Operate (TR-369 "Operate"). A command that the router lacks fails with 7022; wrong arguments with 7027. */
export function respondToOperate(
  model: Model,
  router: RouterView,
  control: RouterControl,
  running: RunningCommands,
  request: OperateRequest,
): ResponseTo<'operate'> {
  const operationResults = callsOf(model, router, request).map((call) => ({
    executedCommand: call.path,
    result: call.fault ?? execute(call, router, control, running, request),
  }));
  return { type: 'operate_resp', operationResults };
}

type Call =
  | { path: string; name: string; located: Located; command: CommandDef; fault?: undefined }
  | { path: string; fault: OperationResult };

function callsOf(model: Model, router: RouterView, request: OperateRequest): Call[] {
  const [objPath, name] = splitLeaf(request.command);
  try {
    return locate(model, router, objPath).map((located) => findCommand(located, name, request));
  } catch (error) {
    if (!(error instanceof UspFault)) throw error;
    return [{ path: request.command, fault: failure({ errCode: error.code, errMsg: error.message }) }];
  }
}

function findCommand(located: Located, name: string, request: OperateRequest): Call {
  const path = located.path + name;
  const commands = located.node.def?.commands ?? {};
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    return { path, fault: failure({ errCode: UspError.commandFailure, errMsg: `this router has no command ${name}` }) };
  const unknown = [...request.inputArgs.keys()].filter(
    (argument) => !command.inputs.includes(argument.replaceAll(/\.\d+\./gu, '.{i}.')),
  );
  if (unknown.length === 0) return { path, name, located, command };
  return { path, fault: failure({ errCode: UspError.invalidCommandArguments, errMsg: `no argument ${unknown.join(', ')}` }) };
}

function execute(
  { name, located, command }: Exclude<Call, { fault: OperationResult }>,
  router: RouterView,
  control: RouterControl,
  running: RunningCommands,
  { inputArgs, commandKey }: OperateRequest,
): OperationResult {
  const call = { router, control, path: located.path, ids: located.ids, args: inputArgs, commandKey };
  if (command.begin) return command.begin(call);
  const run = () => command.run(call);
  if (command.kind === 'CMD_ASYNC') {
    const requestPath = running.begin({ objPath: located.path, name, commandKey });
    void Promise.resolve()
      .then(run)
      .catch((error: unknown) => failure({ errCode: UspError.commandFailure, errMsg: String(error) }))
      .then((outcome) => running.end(requestPath, outcome));
    return { type: 'req_obj_path', value: requestPath };
  }
  const outcome = run();
  if (outcome instanceof Promise) throw new TypeError(`${name} is synchronous but returned a promise`);
  return outcome;
}

function failure({ errCode, errMsg }: Failure): { type: 'cmd_failure' } & Failure {
  return { type: 'cmd_failure', errCode, errMsg };
}
