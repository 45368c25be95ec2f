import { setTimeout as pause } from 'node:timers/promises';
import { UspError, type OperationOutcome } from '@highline/usp';
import { putFile, type UploadTarget } from '../diagnostics/put-file.ts';
import type { CommandCall, RunCommand } from '../model/definition.ts';
import { writeBackup } from '../settings/backup-file.ts';

/** Pauses before an upload is tried again: the server restarts, or coverage was gone. */
const PAUSES_MS = [1_000, 5_000, 15_000, 30_000, 60_000];

/** VendorConfigFile.{i}.Backup() (TR-181): upload what is set at the router, with its config file. */
export const backUpConfig: RunCommand = {
  kind: 'CMD_ASYNC',
  inputs: ['URL', 'Username', 'Password'],
  outputs: [],
  async run({ args, router, control }: CommandCall): Promise<OperationOutcome> {
    const url = args.get('URL') ?? '';
    if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
      return { type: 'cmd_failure', errCode: UspError.invalidCommandArguments, errMsg: 'URL must be http or https' };
    const rows = Object.fromEntries(router.rowPaths().map((path) => [path, router.row(path) ?? {}]));
    const file = writeBackup({ rows, config: router.installed().config });
    const target = { url, username: args.get('Username') ?? '', password: args.get('Password') ?? '' };
    try {
      await upload(target, Buffer.from(file), control.diagnostics.signal);
      return { type: 'req_output_args', outputArgs: new Map() };
    } catch (error) {
      const errMsg = error instanceof Error ? error.message : String(error);
      return { type: 'cmd_failure', errCode: UspError.commandFailure, errMsg };
    }
  },
};

/** @throws Error when no attempt was accepted */
async function upload(target: UploadTarget, contents: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- an attempt after another
      return await putFile(target, contents, signal);
    } catch (error) {
      // The server said no: it would say so again.
      if (error instanceof Error && error.message.startsWith('the server answered 4')) throw error;
      // oxlint-disable-next-line no-await-in-loop -- an attempt after another
      await pause(pauseMs, undefined, { signal });
    }
  }
  return putFile(target, contents, signal);
}
