import type { IndependentValue } from '../codec.ts';
import { Code, UspFault } from '../errors.ts';
import type { DataModel } from '../model/data-model.ts';
import type { CommandDefinition } from '../model/definition.ts';
import { resolveObjects, splitLeaf, supportedPathOf } from '../model/resolve.ts';

/** A command of one object, about to run. */
export interface Invocation {
  /** Full path of the object and name of the command. */
  readonly objectPath: string;
  readonly name: string;
  readonly type: CommandDefinition['type'];
  readonly commandKey: string;
  readonly args: Readonly<Record<string, string>>;
}

/**
 * The commands that an Operate names: none when a search path matches no object.
 * @throws UspFault 7008, 7016, 7026 when there is no such command, 7027 for its arguments
 */
export function invocationsOf(model: DataModel, request: IndependentValue): Invocation[] {
  const { command, commandKey, inputArgs } = request as {
    command: string;
    commandKey: string;
    inputArgs: Record<string, string>;
  };
  const [objPath, name] = splitLeaf(command);
  const found = resolveObjects(model, objPath);
  const definition = model.supported.get(supportedPathOf(objPath))?.commands[name];
  if (definition === undefined) throw new UspFault(Code.invalidPath, `${command} is not in the supported data model`);
  rejectArguments(definition, inputArgs);
  return found.map((objectPath) => ({ objectPath, name, type: definition.type, commandKey, args: inputArgs }));
}

function rejectArguments({ inputs, required }: CommandDefinition, args: Readonly<Record<string, string>>): void {
  const unknown = Object.keys(args).find((name) => !inputs.includes(name.replace(/\.\d+\..*$/u, '.{i}.')));
  if (unknown !== undefined) throw new UspFault(Code.invalidCommandArguments, `${unknown} is not an argument of this command`);
  const missing = required.find((name) => (args[name] ?? '') === '');
  if (missing !== undefined) throw new UspFault(Code.invalidCommandArguments, `${missing} is missing`);
}

/** One result of an OperateResp. `outcome`: path of the request for an asynchronous command, its outputs, or its failure. */
export function operationResult(executedCommand: string, outcome: string | Record<string, string> | UspFault): IndependentValue {
  if (typeof outcome === 'string') return { executedCommand, one: { case: 'reqObjPath', value: outcome } };
  if (outcome instanceof UspFault)
    return { executedCommand, one: { case: 'cmdFailure', value: { errCode: outcome.code, errMsg: outcome.message } } };
  return { executedCommand, one: { case: 'reqOutputArgs', value: { outputArgs: outcome } } };
}
