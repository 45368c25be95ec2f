import { expect, test } from 'vitest';
import { incidentCall } from './incident-formats.ts';

const happenedAt = new Date('2026-11-20T12:00:00Z');
const device = { id: 'd', serial: 'HL0001', vehicle: 'BUS-7', group: 'north' };
const data = {
  organization: 'o',
  device,
  alert: 'a',
  rule: 'Offline',
  severity: 'critical',
  summary: 'Offline',
  by: null,
  carrier: 'US Cellular',
};
const fired = { type: 'alert.fired', happenedAt, data };
const over = { ...fired, type: 'alert.resolved' };
const sent = (call: { readonly body: string }) => JSON.parse(call.body) as Record<string, unknown>;

test('SAY-05-partial an alert opens and closes one incident of PagerDuty', () => {
  const [open, close] = [fired, over].map((event) =>
    sent(incidentCall('pagerduty', 'https://events.pagerduty.com/v2/enqueue', 'R0', event)),
  );
  expect(open).toMatchObject({
    routing_key: 'R0',
    event_action: 'trigger',
    dedup_key: 'highline-a',
    payload: {
      summary: 'BUS-7 (HL0001): Offline',
      source: 'HL0001',
      severity: 'critical',
      timestamp: '2026-11-20T12:00:00.000Z',
    },
  });
  expect(close).toEqual({ routing_key: 'R0', event_action: 'resolve', dedup_key: 'highline-a' });
});

test('SAY-05-partial of Opsgenie the same, by the alias of the alert', () => {
  const base = 'https://api.opsgenie.com/v2/alerts';
  const open = incidentCall('opsgenie', base, 'K', fired);
  expect([open.url, open.headers]).toEqual([base, { authorization: 'GenieKey K' }]);
  expect(sent(open)).toMatchObject({ alias: 'highline-a', priority: 'P1', entity: 'HL0001', message: 'BUS-7 (HL0001): Offline' });
  expect(incidentCall('opsgenie', base, 'K', over).url).toBe(`${base}/highline-a/close?identifierType=alias`);
  const seen = { ...fired, type: 'alert.acknowledged' };
  expect(incidentCall('opsgenie', `${base}/`, 'K', seen).url).toBe(`${base}/highline-a/acknowledge?identifierType=alias`);
});

test('SAY-05-partial a topic of ntfy is the last part of its address, also behind a path and with letters of any script', () => {
  const call = incidentCall('ntfy', 'https://push.example/own/%E8%AD%A6%E5%A0%B1?auth=x', 'tk', fired);
  expect([call.url, call.headers]).toEqual(['https://push.example/own?auth=x', { authorization: 'Bearer tk' }]);
  expect(sent(call)).toMatchObject({ topic: '警報', title: 'BUS-7 (HL0001): Offline', priority: 5, tags: ['rotating_light'] });
  const end = incidentCall('ntfy', 'https://ntfy.sh/topic', '', over);
  expect([end.url, end.headers]).toEqual(['https://ntfy.sh/', {}]);
  expect(sent(end)).toMatchObject({ title: 'Resolved: BUS-7 (HL0001): Offline', priority: 3 });
});

test('SAY-05-partial alerts that fired together are one incident', () => {
  const storm = { ...fired, data: { ...data, device: null, storm: 's', count: 12, carriers: 'US Cellular: 12' } };
  expect(sent(incidentCall('pagerduty', 'https://x.example', 'R0', storm))).toMatchObject({
    dedup_key: 'highline-s',
    payload: { source: 'Offline', custom_details: { carriers: 'US Cellular: 12', count: '12' } },
  });
});
