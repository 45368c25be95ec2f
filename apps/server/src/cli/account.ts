import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { resetSecondFactorOffline } from '../domains/accounts/index.ts';
import { DomainError } from '../kernel/failure.ts';
import { createLog } from '../platform/process/log.ts';
import { systemClock } from '../platform/ports/clock.ts';
import { StartupError } from '../platform/settings/settings-file.ts';
import { readCommandSettings } from '../platform/settings/settings.ts';
import { CommandFault, readArguments, type Command } from './command.ts';

/** Turn off the second factor of a user who has no colleague to do it. */
export const resetSecondFactor: Command = {
  name: 'reset-second-factor',
  usage: '--email <address>',
  summary:
    'Turn off the second factor of a user who lost it and has no colleague: run it on the server, with its settings. With the embedded database, stop the server first.',
  async run(argv, environment, say) {
    const email = readArguments(argv, { required: ['email'] }, 0).values['email']!;
    await withDatabase(environment, (database) => resetSecondFactorOffline(database, email, systemClock.now()));
    say(`The second factor of ${email} is off, every session has ended, and an email was sent.`);
  },
};

/** The server's own database, by its start settings. @throws CommandFault */
async function withDatabase(
  environment: NodeJS.ProcessEnv,
  work: (database: ReturnType<typeof createDatabase>) => Promise<void>,
): Promise<void> {
  try {
    const opened = await openDatabase(readCommandSettings(environment, ['database']).database, createLog('fatal'));
    try {
      await work(createDatabase(opened.pool, () => {}));
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (error instanceof DomainError || error instanceof StartupError) throw new CommandFault(error.message, { cause: error });
    throw error;
  }
}
