import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import { createLog } from '../platform/process/log.ts';
import { version } from '../platform/process/version.ts';
import { StartupError } from '../platform/settings/settings-file.ts';
import { readCommandSettings } from '../platform/settings/settings.ts';
import { CommandFault, readArguments, type Command } from './command.ts';

/** What each start does first, on its own: before an upgrade replaces the first process, so that a fault stops the upgrade. */
export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Bring the database to this version, as each start of a server does. Servers of the previous version keep working.',
  async run(argv, environment, say) {
    readArguments(argv, {}, 0);
    try {
      const { database, logLevel } = readCommandSettings(environment, ['database']);
      const opened = await openDatabase(database, createLog(logLevel));
      await opened.close();
    } catch (error) {
      if (error instanceof StartupError) throw new CommandFault(error.message, { cause: error });
      throw error;
    }
    say(`The database is at version ${version}.`);
  },
};
