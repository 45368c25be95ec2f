import { exportAudit, verifyAudit } from './audit.ts';
import { CommandFault, UsageFault, type Command } from './command.ts';
import { keygen } from './keygen.ts';
import { sign } from './sign.ts';
import { upload } from './upload.ts';
import { verify } from './verify.ts';

// `npm run highline -- firmware|audit <command> …`

const rooms: Readonly<Record<string, readonly Command[]>> = {
  firmware: [keygen, sign, verify, upload],
  audit: [exportAudit, verifyAudit],
};
/** Exit code for a wrong command line, as the shell's own commands use it. */
const USAGE_ERROR = 2;

const help = `Usage: highline <firmware|audit> <command> [options]

${Object.entries(rooms)
  .flatMap(([room, commands]) => commands.map(({ name, usage, summary }) => `  ${room} ${name} ${usage}\n      ${summary}`))
  .join('\n')}
`;

async function main([room, name, ...argv]: readonly string[]): Promise<void> {
  if (room === undefined || [room, name, ...argv].includes('--help')) {
    process.stdout.write(help);
    return;
  }
  const command = Object.hasOwn(rooms, room) ? rooms[room]?.find((one) => one.name === name) : undefined;
  if (command === undefined) throw new UsageFault(`no command '${[room, name].filter(Boolean).join(' ')}'`);
  await command.run(argv, process.env, (line) => process.stdout.write(`${line}\n`));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageFault) && !(error instanceof CommandFault)) throw error;
  const more = error instanceof UsageFault ? '\nSee `npm run highline -- --help`.' : '';
  process.stderr.write(`highline: ${error.message}${more}\n`);
  process.exitCode = error instanceof UsageFault ? USAGE_ERROR : 1;
}
