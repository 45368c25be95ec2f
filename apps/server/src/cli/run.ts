import { resetSecondFactor } from './account.ts';
import { exportAudit, verifyAudit } from './audit.ts';
import { CommandFault, UsageFault, type Command } from './command.ts';
import { keygen } from './keygen.ts';
import { sign } from './sign.ts';
import { upload } from './upload.ts';
import { verify } from './verify.ts';

const rooms: Readonly<Record<string, readonly Command[]>> = {
  firmware: [keygen, sign, verify, upload],
  audit: [exportAudit, verifyAudit],
  account: [resetSecondFactor],
};
/** Exit code for a wrong command line, as the shell's own commands use it. */
const USAGE_ERROR = 2;

const help = `Usage: highline <${Object.keys(rooms).join('|')}> <command> [options]

${Object.entries(rooms)
  .flatMap(([room, commands]) => commands.map(({ name, usage, summary }) => `  ${room} ${name} ${usage}\n      ${summary}`))
  .join('\n')}
`;

/** Where a command line reads and writes. */
export interface Console {
  readonly environment: NodeJS.ProcessEnv;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Carry out one command line (FWR-02, LOG-02).
 *
 * @param line what follows the program's name
 * @returns the exit code: 0, 1 for what went wrong, 2 for a line that is none
 */
export async function run(line: readonly string[], console: Console): Promise<number> {
  try {
    await obey(line, console);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageFault) && !(error instanceof CommandFault)) throw error;
    const more = error instanceof UsageFault ? '\nSee `npm run highline -- --help`.' : '';
    console.err(`highline: ${error.message}${more}\n`);
    return error instanceof UsageFault ? USAGE_ERROR : 1;
  }
}

async function obey([room, name, ...argv]: readonly string[], { environment, out }: Console): Promise<void> {
  if (room === undefined || [room, name, ...argv].includes('--help')) {
    out(help);
    return;
  }
  const command = Object.hasOwn(rooms, room) ? rooms[room]?.find((one) => one.name === name) : undefined;
  if (command === undefined) throw new UsageFault(`no command '${[room, name].filter(Boolean).join(' ')}'`);
  await command.run(argv, environment, (line) => out(`${line}\n`));
}
