import { isPreloadedCode, normalizeIccid, parseActivationCode, PRELOADED_CODE, UspError } from '@highline/usp';
import type { OperationResult } from '@highline/usp';
import type { CommandCall, CommandDef } from '../model/definition.ts';
import { profileAt } from '../model/profiles.ts';
import { PRELOADED } from '../state/esims.ts';
import type { SwitchJob } from '../state/state.ts';

const OUTPUTS = ['Profile', 'ICCID'] as const;
const MAX_TEXT = 100;

/**
 * SIM.{i}.X_HIGHLINE_DownloadProfile(): download a profile onto the eUICC, disabled. The code 'preload' sets up the preloaded
 * one, whose ICCID is then required. Failures begin with out-of-memory, download-failed, iccid-mismatch, unreachable,
 * invalid-code or wrong-confirmation.
 */
export const downloadProfile: CommandDef = {
  kind: 'CMD_ASYNC',
  inputs: ['ActivationCode', 'ConfirmationCode', 'ICCID', 'Name', 'APN', 'APN2', 'Priority'],
  outputs: [...OUTPUTS, 'Carrier'],
  begin(call) {
    const { control, commandKey, path } = call;
    const { code, fault } = readCode(arg(call, 'ActivationCode'), arg(call, 'ConfirmationCode'));
    const given = arg(call, 'ICCID');
    const iccid = given === '' ? '' : normalizeIccid(given);
    const [name, apn, apn2, priority] = [arg(call, 'Name'), arg(call, 'APN'), arg(call, 'APN2'), arg(call, 'Priority')];
    if (fault !== undefined) return rejected(`invalid-code: ${fault}`);
    if (iccid === undefined) return rejected('iccid-mismatch: this is not an ICCID');
    if (iccid === '' && code === PRELOADED_CODE) return rejected('iccid-mismatch: the profile from the factory needs its ICCID');
    if ([name, apn, apn2].some((text) => text.length > MAX_TEXT)) return rejected(`longer than ${MAX_TEXT} characters`);
    if (priority !== '' && !/^[1-9]\d?$/.test(priority)) return rejected('Priority must be from 1 to 99');
    const own = { activationCode: code, confirmationCode: arg(call, 'ConfirmationCode'), iccid, name, apn, apn2, priority };
    return control.esim({ ...own, kind: 'download', objPath: path, command: 'X_HIGHLINE_DownloadProfile()', commandKey });
  },
};

/** SIM.{i}.Profile.{i}.X_HIGHLINE_Enable(): switch to this profile, or back to the previous one if it does not connect. */
export const enableProfile: CommandDef = {
  kind: 'CMD_ASYNC',
  inputs: [],
  outputs: OUTPUTS,
  begin: (call) => switchTo(call, 'enable', 'X_HIGHLINE_Enable()'),
};

/**
 * SIM.{i}.Profile.{i}.X_HIGHLINE_Delete(): delete from the eUICC. When it is in use, the router first switches to another that
 * connects.
 */
export const deleteProfile: CommandDef = {
  kind: 'CMD_ASYNC',
  inputs: [],
  outputs: OUTPUTS,
  begin(call) {
    if (call.ids.at(-1) === PRELOADED) return rejected('preloaded: the profile from the factory cannot be deleted');
    return switchTo(call, 'delete', 'X_HIGHLINE_Delete()');
  },
};

function switchTo(
  { router, control, path, ids, commandKey }: CommandCall,
  kind: SwitchJob['kind'],
  command: string,
): OperationResult {
  const iccid = profileAt(router, ids.at(-1))?.iccid ?? '';
  return control.esim({ kind, objPath: path, command, commandKey, iccid });
}

function readCode(text: string, confirmation: string): { code: string; fault?: undefined } | { code?: undefined; fault: string } {
  if (isPreloadedCode(text)) return { code: PRELOADED_CODE };
  const code = parseActivationCode(text);
  if (code === undefined) return { fault: 'this is not an activation code' };
  if (code.needsConfirmation && confirmation === '') return { fault: 'it needs a confirmation code' };
  return confirmation.length > MAX_TEXT ? { fault: 'the confirmation code is too long' } : { code: code.text };
}

function arg({ args }: CommandCall, name: string): string {
  return (args.get(name) ?? '').trim();
}

function rejected(errMsg: string): OperationResult {
  return { type: 'cmd_failure', errCode: UspError.invalidCommandArguments, errMsg };
}
