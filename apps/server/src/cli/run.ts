import { resetSecondFactor } from './account.ts';
import { callApi } from './api.ts';
import { exportAudit, verifyAudit } from './audit.ts';
import { backup, restore, verifyBackup } from './backup/commands.ts';
import { report, UsageFault, type Command, type Console } from './command.ts';
import { health } from './health.ts';
import { rotateKey } from './key/rotate.ts';
import { keygen } from './keygen.ts';
import { createBounceCommand } from './mail/bounce.ts';
import { fetchMap } from './map/fetch.ts';
import { migrate } from './migrate.ts';
import { sign } from './sign.ts';
import { upload } from './upload.ts';
import { verify } from './verify.ts';

const app: Readonly<Record<string, readonly Command[]>> = {
  firmware: [keygen, sign, verify, upload],
  audit: [exportAudit, verifyAudit],
  account: [resetSecondFactor],
  key: [rotateKey],
  mail: [createBounceCommand(() => process.stdin)],
  map: [fetchMap],
};
/** Commands without a group. */
const single: readonly Command[] = [backup, restore, verifyBackup, migrate, health];

const help = `Usage: highline <command> [options]

${[...Object.entries(app), ['', single] as const]
  .flatMap(([group, commands]) =>
    commands.map(({ name, usage, summary }) => `  ${`${group} ${name}`.trim()} ${usage}\n      ${summary}`),
  )
  .join('\n')}
  api <area> <call> [--field value …]
      Any call of a server, with an API key. Run \`highline api\` for help.
`;

/**
 * Run one command line (FWR-02, LOG-02).
 *
 * @param line the arguments after the program's name
 * @returns the exit code: 0, 1 for a failure, 2 for an invalid command line, 75 for what may succeed later
 */
export function run(line: readonly string[], console: Console): Promise<number> {
  return report(() => obey(line, console), console);
}

async function obey([group, name, ...argv]: readonly string[], { environment, out }: Console): Promise<void> {
  if (group === 'api') {
    const line = [name, ...argv].filter((each) => each !== undefined);
    return callApi(line, environment, (text) => out(`${text}\n`));
  }
  if (group === undefined || [group, name, ...argv].includes('--help')) {
    out(help);
    return;
  }
  const alone = single.find((one) => one.name === group);
  if (alone !== undefined)
    return alone.run(
      [name, ...argv].filter((each) => each !== undefined),
      environment,
      (line) => out(`${line}\n`),
    );
  const command = Object.hasOwn(app, group) ? app[group]?.find((one) => one.name === name) : undefined;
  if (command === undefined) throw new UsageFault(`no command '${[group, name].filter(Boolean).join(' ')}'`);
  await command.run(argv, environment, (line) => out(`${line}\n`));
}
