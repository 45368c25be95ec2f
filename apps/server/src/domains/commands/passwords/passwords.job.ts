import { routerPasswords, sentCommands } from '@highline/contract';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Database } from '../../../platform/ports/database.ts';
import { sendToMany } from '../sent-commands.service.ts';
import {
  deleteLeftPasswords,
  findDuePasswords,
  listAutomaticRotations,
  type AutomaticRotation,
} from './passwords.job.queries.ts';

const DAY_MS = 86_400_000;
/** A command waits for its router as long; the next attempt is after it. */
const ATTEMPT_DAYS = 7;
/** Devices of one transaction, and of one run. */
const BATCH = 500;
/** Devices that were deleted can be restored so long. */
const ARCHIVED_DAYS = 30;

/** Replaces passwords that are due where an organization wants that, and deletes those of devices that are gone. */
export function passwordJobs(database: Database): readonly Job[] {
  return [
    {
      name: 'passwords of routers: rotation',
      everyMs: 3_600_000,
      async run(now) {
        for (const rotation of await listAutomaticRotations(database.read)) await rotate(database, rotation, now);
      },
    },
    {
      name: 'passwords of routers: retention',
      everyMs: 3_600_000,
      async run(now) {
        await database.write((tx) => deleteLeftPasswords(tx, new Date(now.getTime() - ARCHIVED_DAYS * DAY_MS)));
      },
    },
  ];
}

async function rotate(database: Database, { scope, rotateDays, author }: AutomaticRotation, now: Date): Promise<void> {
  await database.write(async (tx) => {
    const due = await findDuePasswords(tx, scope, {
      before: new Date(now.getTime() - rotateDays * DAY_MS),
      attemptedSince: new Date(now.getTime() - ATTEMPT_DAYS * DAY_MS),
      usual: routerPasswords.USUAL_USERNAME,
      limit: BATCH,
    });
    for (const [username, devices] of Map.groupBy(due, (device) => device.username)) {
      const order = { kind: sentCommands.SET_PASSWORD, argument: username, name: '' } as const;
      const ids = devices.map(({ device_id: id }) => id);
      await sendToMany(tx, scope, author, { order, wait: ATTEMPT_DAYS * 24, job: null }, ids, now);
    }
  });
}
