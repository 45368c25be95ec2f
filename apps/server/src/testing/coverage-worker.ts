import { createCoverageJobs } from '../domains/coverage/index.ts';
import { createDatabase } from '../platform/adapters/database.ts';
import { openDatabase } from '../platform/adapters/postgres/connect.ts';
import type { DatabaseSettings } from '../platform/settings/settings.ts';
import { silentLog } from './log.ts';

// Adds up coverage once, for tests that kill it. Arguments: settings of the database as JSON, and the time as ISO 8601.

const [settings, at] = process.argv.slice(2) as [string, string];
const opened = await openDatabase(JSON.parse(settings) as DatabaseSettings, silentLog);
const jobs = createCoverageJobs(
  createDatabase(opened.pool, () => {}),
  30,
);
await jobs.folding.run(new Date(at));
await jobs.comparison.run(new Date(at));
await opened.close();
