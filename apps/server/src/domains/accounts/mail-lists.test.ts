import { expect, test } from 'vitest';
import type { Actor, MainScope, OrganizationScope } from '../../kernel/index.ts';
import { alertsPath, useAlertFleet, type TestRouter } from '../../testing/alert-fleet.ts';
import { silentLog } from '../../testing/log.ts';
import { createPushBrowser } from '../../testing/push-browser.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { sendMessages } from '../alerts/index.ts';
import { enqueueMail, storeMailFile } from '../mails/index.ts';

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

test('SAY-05-partial ALR-06-partial who is removed before the end of alerts of a deleted rule is sent does not get it, and a changed address does', async () => {
  const { main, scope, routers, admin } = await open(1);
  const boss = await signedIn(main, 'main');
  const [leaving, colleague, staying] = [
    await signedIn(scope, 'user'),
    await signedIn(main, 'main'),
    await signedIn(scope, 'user'),
  ];
  const [before, after] = ['before', 'after'].map((email) => ({ email: `${email}-${scope.organizationId}@x.invalid` })) as [
    { email: string },
    { email: string },
  ];
  const invitation = { ...before, name: 'Ada', role: `r.${scope.organizationId}.super`, serviceContacter: false };
  const invited = await app.call('POST', '/dmp_aa/api/v1/vendorAccounts/', { as: boss, body: invitation });
  expect(invited.status, invited.text).toBe(200);
  const days = [0, 1, 2, 3, 4, 5, 6];
  const quiet = { days, from: '13:00', until: '14:00', zone: 'UTC' };
  const mails = [leaving, colleague, staying, before].map(({ email }) => email);
  const { id } = await addRule(admin, { forSeconds: 0, channels: { mails, ends: true, escalation: null, quiet } });
  app.clock.set('2026-11-22T12:50:00Z');
  await weaken(routers[0]!);
  await app.owner.query('update mails set sent_at = created_at where organization_id = $1', [scope.organizationId]);
  app.clock.set('2026-11-22T13:10:00Z');
  await withTelemetry(async (telemetry) => {
    await measure(telemetry, routers[0]!, -70);
    await run();
  });
  await done('DELETE', `${alertsPath}/rules/${id}`, { as: admin, body: {} });
  await done('DELETE', `${ACCOUNTS}/${leaving.accountId}`, { as: admin });
  await done('DELETE', `/dmp_aa/api/v1/colleagues/${colleague.accountId}`, { as: boss });
  await done('PATCH', `${ACCOUNTS}/${invited.json.result.id}/invitation`, { as: boss, body: after });
  app.clock.set('2026-11-22T14:01:00Z');
  await sendMessages({ ...app, log: silentLog, origin: () => 'https://cloud.test' }, app.clock.now());
  const ends = async ({ email }: Pick<Actor, 'email'>) =>
    (await app.mailsTo(email)).filter(({ subject }) => subject.startsWith('Resolved')).length;
  expect([await ends(leaving), await ends(colleague), await ends(staying), await ends(before), await ends(after)]).toEqual([
    0, 0, 1, 0, 1,
  ]);
});

const SUMMARIES = '/data_manager/v1/dm/summaries';
const daily = { kind: 'inventory', format: 'csv', zone: 'UTC', language: 'en-US', every: 'day', onDay: 1, hour: 6 } as const;
const summarize = (as: Actor, name: string, ...recipients: readonly Pick<Actor, 'email'>[]) =>
  done('POST', SUMMARIES, { as, body: { ...daily, name, recipients: recipients.map(({ email }) => email) } });
/** The summaries that someone sees, with who gets them. */
async function summariesOf(as: Actor): Promise<Record<string, string[]>> {
  const { result } = (await app.call('GET', SUMMARIES, { as, query: { limit: 50 } })).json;
  return Object.fromEntries(
    (result as { name: string; recipients: string[] }[]).map(({ name, recipients }) => [name, recipients]),
  );
}

test('IAM-04-partial RPM-03-partial who is limited leaves summaries of others, and keeps the own; who is removed leaves all, and the log says both', async () => {
  const { scope, group } = await open(0);
  const [admin, limited] = [await signedIn(scope, 'admin'), await signedIn(scope, 'admin')];
  await summarize(admin, 'Whole fleet', admin, limited);
  await summarize(limited, 'Mine', limited);
  await done('PUT', `${ACCOUNTS}/${limited.accountId}/limit`, { as: admin, body: { limitedTo: { groups: [group], tags: [] } } });
  expect(await summariesOf(admin)).toEqual({ 'Whole fleet': [admin.email], Mine: [limited.email] });
  expect(await app.logOf(scope.organizationId)).toContain(`${limited.email} no longer gets summary Whole fleet`);
  // The log tells who sees everything from who sees nothing.
  await done('PUT', `${ACCOUNTS}/${limited.accountId}/limit`, { as: admin, body: { limitedTo: null } });
  const seen = { limited: true, groups: [{ id: group }], tags: [] };
  const entries = await app.database.read
    .selectFrom('audit_entries')
    .select('detail')
    .where('chain_id', '=', scope.organizationId)
    .where('subject_id', '=', limited.accountId)
    .orderBy('seq')
    .execute();
  expect(entries.map(({ detail }) => detail).slice(-2)).toMatchObject([
    { before: { limited: false }, after: seen },
    { before: seen, after: { limited: false } },
  ]);
  await done('DELETE', `${ACCOUNTS}/${limited.accountId}`, { as: admin });
  expect(await summariesOf(admin)).toEqual({ 'Whole fleet': [admin.email], Mine: [] });
});

/** A summary of a main account was made, and waits to be mailed. */
const queueSummary = ({ mainAccountId: ownerId }: MainScope, name: string, { email: to }: Actor) =>
  app.database.write(async (tx) => {
    later(1_000);
    const now = app.clock.now();
    const fileId = await storeMailFile(tx, { name: 'a.csv', type: 'text/csv', content: Buffer.from('a'), ownerId }, now);
    const { id } = await tx.selectFrom('summaries').select('id').where('name', '=', name).executeTakeFirstOrThrow();
    await tx
      .insertInto('summary_runs')
      .values({ summary_id: id, due_at: now, state: 'sent', next_attempt_at: null, file_id: fileId })
      .execute();
    await enqueueMail(
      tx,
      { to, subject: 'Summary', plain: '', html: '', kind: 'notification', organizationId: null, fileId },
      now,
    );
  });

test('SAY-05-partial RPM-03-partial a colleague who is removed gets no alerts and summaries of any organization; others of the main account do', async () => {
  const { main, scope, routers, admin } = await open(2);
  const [boss, leaving, staying] = [await signedIn(main, 'main'), await signedIn(main, 'main'), await signedIn(main, 'main')];
  const both = [leaving.email, staying.email];
  await addRule(admin, { forSeconds: 0, channels: { mails: both, escalation: null, quiet: null } });
  for (const each of [leaving, staying]) await getAlerts(each, scope);
  await summarize(boss, 'All customers', leaving, staying);
  await summarize(admin, 'One customer', leaving, staying);
  await weaken(routers[0]!);
  for (const each of [leaving, staying]) await queueSummary(main, 'All customers', each);
  expect([await waiting(leaving), await waiting(staying)]).toEqual([2, 2]);
  await done('DELETE', `/dmp_aa/api/v1/colleagues/${leaving.accountId}`, { as: boss });
  await weaken(routers[1]!);
  expect([await waiting(leaving), await waiting(staying)]).toEqual([0, 3]);
  expect(await summariesOf(boss)).toEqual({ 'All customers': [staying.email], 'One customer': [staying.email] });
});

test('IAM-03-partial an own role without alerts ends alert mails and push, one without a kind of summary those; of people and colleagues, when given, saved or put in place of another', async () => {
  const { main, scope, routers, admin: reader } = await open(1);
  const [admin, boss] = [await signedIn(scope, 'admin'), await signedIn(main, 'main')];
  await addRule(reader, { forSeconds: 0 });
  const roleOf = async (as: Actor, name: string, rights: readonly string[]): Promise<string> =>
    (await app.call('POST', '/dmp_aa/api/v1/own_roles', { as, body: { name, rights } })).json.result.id;
  const give = (as: Actor, to: Actor, role: string) =>
    done('PUT', `${ACCOUNTS}/${to.accountId}/own_role`, { as, body: { role } });
  const path = (role: string) => `/dmp_aa/api/v1/own_roles/${role}`;
  const roles = { seeing: ['alerts.read', 'devices.read'], blind: ['devices.read'] };
  const [seeing, blind, saved, replaced] = [
    await roleOf(admin, 'Seeing', roles.seeing),
    await roleOf(admin, 'Blind', roles.blind),
    await roleOf(admin, 'Saved', roles.seeing),
    await roleOf(admin, 'Replaced', roles.seeing),
  ];
  const [keeps, given, ofSaved, ofReplaced, colleague] = [
    await signedIn(scope, 'user'),
    await signedIn(scope, 'user'),
    await signedIn(scope, 'user'),
    await signedIn(scope, 'user'),
    await signedIn(main, 'main'),
  ];
  const all = [keeps, given, ofSaved, ofReplaced, colleague];
  for (const each of all) await getAlerts(each, scope);
  for (const as of all)
    await done('POST', `${alertsPath}/people/push`, {
      as,
      body: {
        org: scope.organizationId,
        endpoint: `https://push.example/${as.accountId}`,
        ...createPushBrowser().keys,
        language: 'en-US',
        zone: 'UTC',
      },
    });
  await summarize(admin, 'Vehicles', ...all);
  await done('POST', SUMMARIES, {
    as: admin,
    body: { ...daily, kind: 'people', name: 'Log', recipients: all.map(({ email }) => email) },
  });
  for (const [to, role] of [
    [keeps, seeing],
    [given, blind],
    [ofSaved, saved],
    [ofReplaced, replaced],
  ] as const)
    await give(admin, to, role);
  await done('PUT', path(saved), { as: admin, body: { name: 'Saved', rights: roles.blind } });
  await done('DELETE', path(replaced), { as: admin, body: { instead: blind } });
  await give(boss, colleague, await roleOf(boss, 'Stock', roles.blind));
  await weaken(routers[0]!);
  const mails: number[] = [];
  for (const each of all) mails.push(await waiting(each));
  expect(mails).toEqual([1, 0, 0, 0, 0]);
  const informed = (await app.call('GET', `${alertsPath}/people`, { as: admin, query: { limit: 50, informed: 'true' } })).json
    .result;
  expect(informed.filter(({ browsers }: { browsers: number }) => browsers > 0).map(({ mail }: { mail: string }) => mail)).toEqual(
    [keeps.email],
  );
  expect(await summariesOf(admin)).toEqual({ Vehicles: all.map(({ email }) => email), Log: [] });
});

test('IAM-03-partial SAY-05-partial a role of a main account that is saved without alerts takes all who have it from the lists of every organization, and no one else', async () => {
  const { main, scope } = await open(1);
  const other = await app.seeding.organization(main, 'Other');
  const [boss, both, one, keeps] = [
    await signedIn(main, 'main'),
    await signedIn(main, 'main'),
    await signedIn(main, 'main'),
    await signedIn(main, 'main'),
  ];
  for (const [person, organization] of [
    [both, scope],
    [both, other],
    [one, other],
    [keeps, scope],
    [keeps, other],
  ] as const)
    await getAlerts(person, organization);
  const role = { name: 'Watch', rights: ['alerts.read', 'devices.read'] };
  const { id } = (await app.call('POST', '/dmp_aa/api/v1/own_roles', { as: boss, body: role })).json.result;
  for (const { accountId } of [both, one])
    await done('PUT', `${ACCOUNTS}/${accountId}/own_role`, { as: boss, body: { role: id } });
  const listed = async (organization: OrganizationScope): Promise<string[]> => {
    const as = await signedIn(organization, 'admin');
    const { json } = await app.call('GET', `${alertsPath}/people`, { as, query: { limit: 50, informed: 'true' } });
    return json.result.map(({ mail }: { mail: string }) => mail).toSorted();
  };
  expect([await listed(scope), await listed(other)]).toEqual([
    [both.email, keeps.email].toSorted(),
    [both.email, one.email, keeps.email].toSorted(),
  ]);
  await done('PUT', `/dmp_aa/api/v1/own_roles/${id}`, { as: boss, body: { ...role, rights: ['devices.read'] } });
  expect([await listed(scope), await listed(other)]).toEqual([[keeps.email], [keeps.email]]);
});
