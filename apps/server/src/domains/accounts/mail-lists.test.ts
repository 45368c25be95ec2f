import { expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/index.ts';
import { alertsPath, useAlertFleet, type TestRouter } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { sendMessages } from '../alerts/index.ts';

// Who gets mails about devices and alerts once a person may see less.

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, later, run, withTelemetry, measure, addRule } = useAlertFleet(app);
const ACCOUNTS = '/dmp_aa/api/v1/accounts';

let people = 0;
/** Someone who is signed in and has an account. */
async function signedIn(scope: MainScope | OrganizationScope, role: 'main' | 'admin' | 'user'): Promise<Actor> {
  const email = `listed-${(people += 1)}@x.invalid`;
  const accountId = await app.seeding.account(scope, email, role);
  return Object.assign(app.person(scope, role), { accountId, email });
}

async function done(...call: Parameters<typeof app.call>): Promise<void> {
  const { status, text } = await app.call(...call);
  expect(status, text).toBe(200);
}

/** Someone gets every alert that is a warning. */
const getAlerts = (as: Actor, { organizationId: org }: OrganizationScope, mail = as.email) =>
  done('PUT', `${alertsPath}/people`, {
    as,
    body: { org, mail, severities: ['warning'], hours: null, channels: ['mail'], language: 'en-US', zone: 'UTC' },
  });

/** A vehicle has a weak signal; what people are mailed about it waits to be sent. */
async function weaken(router: TestRouter): Promise<void> {
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, router, -120);
    await run();
  });
  later(120_000);
  await sendMessages({ ...app, log: silentLog, origin: () => 'https://cloud.test' }, app.clock.now());
}

const waiting = async ({ email }: Pick<Actor, 'email'>) => (await app.mailsTo(email)).length;

test('SAY-05-partial what waits to be mailed to a person about an alert is not sent once the person is removed', async () => {
  const { scope, routers } = await open(1);
  const [admin, leaving] = [await signedIn(scope, 'admin'), await signedIn(scope, 'user')];
  await addRule(admin, { forSeconds: 0 });
  for (const each of [admin, leaving]) await getAlerts(each, scope);
  await weaken(routers[0]!);
  expect([await waiting(admin), await waiting(leaving)]).toEqual([1, 1]);
  await done('DELETE', `${ACCOUNTS}/${leaving.accountId}`, { as: admin });
  expect([await waiting(admin), await waiting(leaving)]).toEqual([1, 0]);
});
