import { routerPasswords, sentCommands, type Right } from '@highline/contract';
import { forEachOrganization } from '../../../kernel/for-each-organization.ts';
import type { Actor, OrganizationScope } from '../../../kernel/scope.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../../platform/ports/database.ts';
import { recordAudit, sentence, serverActor } from '../../logs/index.ts';
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

export interface RotationDeps {
  readonly database: Database;
  /** What someone may do now without a call of theirs; undefined = nothing. */
  readonly findAllowed: (actor: Actor, right: Right) => Promise<object | undefined>;
  readonly rotationAlerts: {
    /** Tell the admins that nothing is replaced any more. @returns false = they know */
    open(tx: Tx, scope: OrganizationScope, name: string, now: Date): Promise<boolean>;
    end(tx: Tx, scope: OrganizationScope, now: Date): Promise<void>;
  };
}

/** Replaces passwords that are due where an organization wants that, and deletes those of devices that are gone. */
export function passwordJobs(deps: RotationDeps): readonly Job[] {
  const { database } = deps;
  return [
    {
      name: 'passwords of routers: rotation',
      everyMs: 3_600_000,
      async run(now) {
        const idOf = ({ scope }: AutomaticRotation) => scope.organizationId;
        await forEachOrganization(await listAutomaticRotations(database.read), idOf, (each) => rotateIfAllowed(deps, each, now));
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

/** Nothing is sent for who left, or lost the right to these settings or to passwords: each command would only fail, every week at each router. */
async function rotateIfAllowed(deps: RotationDeps, rotation: AutomaticRotation, now: Date): Promise<void> {
  const { scope, author } = rotation;
  const needed = [routerPasswords.savePasswordSettings, routerPasswords.setRouterPassword];
  const allowed = await Promise.all(needed.map((right) => deps.findAllowed(author, right)));
  const mayAct = allowed.every((each) => each !== undefined);
  await deps.database.write((tx) => (mayAct ? rotate(tx, deps, rotation, now) : stop(tx, deps, scope, author, now)));
}

async function stop(tx: Tx, { rotationAlerts }: RotationDeps, scope: OrganizationScope, author: Actor, now: Date): Promise<void> {
  const name = author.key?.label ?? author.email;
  if (!(await rotationAlerts.open(tx, scope, name, now))) return;
  const { organizationId: id } = scope;
  const event = { action: sentence('password.stopped', name), subject: { kind: 'organization', id }, detail: {} };
  await recordAudit(tx, id, serverActor, event, now);
}

async function rotate(
  tx: Tx,
  { rotationAlerts }: RotationDeps,
  { scope, rotateDays, author }: AutomaticRotation,
  now: Date,
): Promise<void> {
  await rotationAlerts.end(tx, scope, now);
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
}
