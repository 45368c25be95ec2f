import { expect, it } from 'vitest';
import { newId } from '../../kernel/index.ts';
import { alertsPath, useAlertFleet, weakSignal } from '../../testing/alert-fleet.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = useTestApp('2026-11-20T12:00:00Z');
const { open, addRule } = useAlertFleet(app);

it('ALR-01-partial admins add, change and delete rules, users read them, and the log has it', async () => {
  const { scope, admin, user, group } = await open(0);
  const rule = await addRule(admin, { scope: { kind: 'group', group } });
  expect(rule).toMatchObject({ ...weakSignal, scope: { kind: 'group', group }, missing: false, open: 0, version: 1 });
  expect((await app.call('POST', `${alertsPath}/rules`, { as: user, body: { ...weakSignal, name: 'Mine' } })).status).toBe(403);
  expect((await app.call('GET', `${alertsPath}/rules`, { as: user })).json.result).toEqual([rule]);
  const saved = await app.call('PUT', `${alertsPath}/rules/${rule.id}`, {
    as: admin,
    body: { ...weakSignal, name: 'Weak', enabled: false },
    headers: { 'if-match': '"1"' },
  });
  expect(saved.json.result).toMatchObject({ name: 'Weak', enabled: false, version: 2 });
  const stale = await app.call('PUT', `${alertsPath}/rules/${rule.id}`, {
    as: admin,
    body: weakSignal,
    headers: { 'if-match': '"1"' },
  });
  expect(stale.status).toBe(412);
  expect((await app.call('DELETE', `${alertsPath}/rules/${rule.id}`, { as: admin })).status).toBe(200);
  expect((await app.call('DELETE', `${alertsPath}/rules/${rule.id}`, { as: admin })).json.error.key).toBe('alert.rule_not_found');
  expect(await app.logOf(scope.organizationId)).toEqual(
    expect.arrayContaining(['Added alert rule Weak signal', 'Changed alert rule Weak', 'Deleted alert rule Weak']),
  );
  const { rows } = await app.owner.query<{ detail: object }>(
    "select detail from audit_entries where chain_id = $1 and action = 'Changed alert rule Weak'",
    [scope.organizationId],
  );
  const { condition, scope: devices } = weakSignal;
  expect(rows).toMatchObject([
    {
      detail: {
        before: { name: 'Weak signal', enabled: true, condition, scope: { kind: 'group', group }, hours: null, action: null },
        after: { name: 'Weak', enabled: false, condition, scope: devices, hours: null, action: null },
      },
    },
  ]);
});

it('ALR-01-partial contradicting thresholds, unknown groups, views and zones, and a taken name are rejected by name', async () => {
  const { admin } = await open(0);
  await addRule(admin);
  const problem = async (more: object) => {
    const { status, json } = await app.call('POST', `${alertsPath}/rules`, {
      as: admin,
      body: { ...weakSignal, name: 'Other', ...more },
    });
    return [status, json.error.field, json.error.message];
  };
  const above = { kind: 'reading', reading: 'temperature', operator: 'above', threshold: 70, clear: 75 };
  const reason = 'because the alert would clear and fire at once';
  expect(await problem({ condition: above })).toEqual([
    400,
    'condition.clear',
    expect.stringContaining(`must not be above the threshold, ${reason}`),
  ]);
  expect(await problem({ condition: { ...weakSignal.condition, clear: -115 } })).toEqual([
    400,
    'condition.clear',
    expect.stringContaining(`must not be below the threshold, ${reason}`),
  ]);
  expect(await problem({ scope: { kind: 'group', group: 'gone' } })).toEqual([400, 'scope.group', expect.any(String)]);
  expect(await problem({ scope: { kind: 'view', view: newId() } })).toEqual([400, 'scope.view', expect.any(String)]);
  const hours = { days: [1], from: '08:00', until: '17:00', zone: 'Nowhere/Town' };
  expect(await problem({ hours })).toEqual([400, 'hours.zone', expect.stringContaining('is not a time zone')]);
  expect(await problem({ condition: { kind: 'reading', reading: 'colour', operator: 'above', threshold: 1 } })).toEqual([
    400,
    'condition.reading',
    expect.any(String),
  ]);
  expect((await problem({ name: weakSignal.name }))[0]).toBe(409);
});

it('ALR-05-partial addresses of rules count as people: a person enters a few hundred new ones in a day, in whatever rule, and those that are known as often as needed', async () => {
  const { admin } = await open(0);
  const mailsOf = (from: number) => Array.from({ length: 20 }, (_, index) => `person-${from + index}@x.invalid`);
  const channels = (from: number) => {
    const escalation = { afterMinutes: 5, mails: mailsOf(from + 20), webhooks: [] };
    return { mails: mailsOf(from), webhooks: [], escalation, quiet: null };
  };
  const add = (name: string, from: number) =>
    app.call('POST', `${alertsPath}/rules`, { as: admin, body: { ...weakSignal, name, channels: channels(from) } });
  for (let from = 0; from < 280; from += 40) expect((await add(`From ${from}`, from)).status).toBe(200);
  // The same people again are not counted again.
  expect((await add('Again', 0)).status).toBe(200);
  const rejected = await add('More', 280);
  expect([rejected.status, rejected.json.error.key]).toEqual([429, 'account.too_many_tries']);
  const known = await addRule(admin, { name: 'Known' });
  const saved = (from: number) =>
    app.call('PUT', `${alertsPath}/rules/${known.id}`, {
      as: admin,
      body: { ...weakSignal, name: 'Known', channels: channels(from) },
      headers: { 'if-match': '"1"' },
    });
  expect((await saved(280)).status).toBe(429);
  expect((await saved(240)).status).toBe(200);
});
