import { type OperationResult, UspError } from '@highline/usp';
import type { CommandCall, CommandDef } from '../model/definition.ts';
import type { Job, SlotNumber } from '../state/state.ts';
import { otherSlot } from '../state/updates.ts';

const TRANSFER = ['URL', 'Username', 'Password', 'FileSize', 'CheckSumAlgorithm', 'CheckSum'] as const;

/**
 * FirmwareImage.{i}.Download() (TR-181): into the slot that is not running; with AutoActivate the router starts it afterwards.
 */
export const downloadFirmware: CommandDef = {
  kind: 'CMD_ASYNC',
  inputs: [...TRANSFER, 'AutoActivate'],
  outputs: [],
  begin(call) {
    const slot = slotNumber(call);
    const autoActivate = isTrue(call.args.get('AutoActivate'));
    return transfer(call, { kind: 'firmware', command: 'Download()', slot, autoActivate, fileName: '' });
  },
};

/** FirmwareImage.{i}.Activate() (TR-181): start a previously downloaded image. */
export const activateFirmware: CommandDef = {
  kind: 'CMD_ASYNC',
  // Time windows are for routers that ask their users; this one starts the image at once, which the end of any window allows too.
  inputs: ['Start', 'End', 'Mode', 'UserMessage', 'MaxRetries'].map((name) => `TimeWindow.{i}.${name}`),
  outputs: [],
  begin(call) {
    const slot = slotNumber(call);
    const none = { url: '', username: '', password: '', size: 0, sha256: '', fileName: '', autoActivate: true };
    return call.control.update({
      ...none,
      kind: 'activate',
      command: 'Activate()',
      slot,
      objPath: pathOf(call),
      commandKey: call.commandKey,
    });
  },
};

/** VendorConfigFile.{i}.Restore() (TR-181): download a config file and activate it. */
export const restoreConfig: CommandDef = {
  kind: 'CMD_ASYNC',
  inputs: [...TRANSFER, 'TargetFileName'],
  outputs: [],
  begin(call) {
    const fileName = call.args.get('TargetFileName') ?? '';
    if (fileName === '' || fileName.length > 255) return rejected('TargetFileName is missing or longer than 255 characters');
    const slot = otherSlot(call.router.updates().flash.active);
    return transfer(call, { kind: 'config', command: 'Restore()', slot, autoActivate: false, fileName });
  },
};

type Own = Pick<Job, 'kind' | 'command' | 'slot' | 'autoActivate' | 'fileName'>;

const MAX_BYTES: Readonly<Record<Job['kind'], number>> = { firmware: 512 * 1024 ** 2, config: 1024 ** 2, activate: 0 };

/** Check the common arguments of downloads before anything is stored. */
function transfer(call: CommandCall, own: Own): OperationResult {
  const { args, control, commandKey } = call;
  const url = args.get('URL') ?? '';
  const size = Number(args.get('FileSize') ?? '');
  const sha256 = (args.get('CheckSum') ?? '').toLowerCase();
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) return rejected('URL must be http or https');
  if (!Number.isSafeInteger(size) || size <= 0 || size > MAX_BYTES[own.kind])
    return rejected(`FileSize must be from 1 to ${MAX_BYTES[own.kind]} bytes`);
  if (args.get('CheckSumAlgorithm') !== 'SHA-256' || !/^[0-9a-f]{64}$/u.test(sha256))
    return rejected('CheckSum must be a SHA-256 in hex');
  const [username, password] = [args.get('Username') ?? '', args.get('Password') ?? ''];
  return control.update({ ...own, objPath: pathOf(call), commandKey, url, username, password, size, sha256 });
}

function pathOf({ path }: CommandCall): string {
  return path;
}

function slotNumber({ ids }: CommandCall): SlotNumber {
  return ids.at(-1) === 2 ? 2 : 1;
}

function isTrue(text: string | undefined): boolean {
  return text === 'true' || text === '1';
}

function rejected(errMsg: string): OperationResult {
  return { type: 'cmd_failure', errCode: UspError.invalidCommandArguments, errMsg };
}
