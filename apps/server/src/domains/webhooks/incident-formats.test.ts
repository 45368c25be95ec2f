import { expect, test } from 'vitest';
import { bodyOf } from './formats.ts';
import { incidentCall } from './incident-formats.ts';
import { titleOf } from './formats.ts';
import { pushMessage } from './push-message.ts';

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

test('SAY-05-partial an alert that ended because its rule changed, or its device left it, is not said to be over', () => {
  const endedBy = (resolution: string) => ({ ...over, data: { ...data, resolution } });
  const ntfyOf = (resolution: string) => sent(incidentCall('ntfy', 'https://ntfy.sh/topic', '', endedBy(resolution)));
  expect(ntfyOf('cleared')).toMatchObject({ title: 'Resolved: BUS-7 (HL0001): Offline', tags: ['white_check_mark'] });
  expect(ntfyOf('rule-changed')).toMatchObject({ title: 'Rule changed: BUS-7 (HL0001): Offline', tags: ['information_source'] });
  expect(ntfyOf('rule-deleted')).toMatchObject({ title: 'Rule deleted: BUS-7 (HL0001): Offline' });
  expect(ntfyOf('transferred')).toMatchObject({ title: 'No longer watched: BUS-7 (HL0001): Offline' });
  const closed = sent(incidentCall('opsgenie', 'https://api.opsgenie.com/v2/alerts', 'K', endedBy('rule-changed')));
  expect(closed).toMatchObject({ note: 'Rule changed: BUS-7 (HL0001): Offline' });
  const titles = ['cleared', 'rule-changed', 'rule-deleted', 'deleted'].map((resolution) =>
    (['en-US', 'zh-TW'] as const).map((language) => pushMessage(language, endedBy(resolution)).title),
  );
  expect(titles).toEqual([
    ['Resolved: Offline', '已恢復正常：Offline'],
    ['Rule changed: Offline', '規則已變更：Offline'],
    ['Rule deleted: Offline', '規則已刪除：Offline'],
    ['No longer watched: Offline', '不再監看：Offline'],
  ]);
});

test('SAY-05-partial the end of some of many alerts is not said to be the end of all', () => {
  const some = { count: 12, open: 5, unrecovered: 1, storm: 's', resolution: 'partly' };
  const partly = { ...fired, data: { ...data, device: null, summary: 'Offline: 12 devices, 5 still open', ...some } };
  expect(sent(incidentCall('ntfy', 'https://ntfy.sh/topic', '', partly))['title']).toBe(
    'Partly resolved: Offline: 12 devices, 5 still open',
  );
  expect(pushMessage('en-US', partly)).toMatchObject({
    title: 'Partly resolved: Offline',
    body: '12 vehicles at once · still open: 5 · not recovered: 1',
  });
  expect(pushMessage('zh-TW', partly)).toMatchObject({
    title: '部分已恢復正常：Offline',
    body: '12 輛車同時發生 · 尚未解除：5 · 未恢復正常：1',
  });
});

test('SAY-05-partial ALR-05-partial a message that waited until its alert was acknowledged says by whom', () => {
  const late = { ...fired, data: { ...data, by: 'anna@x.invalid' } };
  expect(JSON.parse(bodyOf('slack', late))).toMatchObject({ text: 'BUS-7 (HL0001): Offline – acknowledged by anna@x.invalid' });
  expect(pushMessage('en-US', late).body).toBe('BUS-7 · acknowledged by anna@x.invalid · US Cellular');
  expect(pushMessage('zh-TW', late).body).toBe('BUS-7 · 已由 anna@x.invalid 確認 · US Cellular');
  const storm = { ...fired, data: { ...data, device: null, storm: 's', count: 12, acknowledged: 5 } };
  expect(pushMessage('en-US', storm).body).toBe('12 vehicles at once · acknowledged: 5');
  expect(pushMessage('zh-TW', storm).body).toBe('12 輛車同時發生 · 已確認：5');
});

test('SAY-05-partial a message that waited until its alert was over says so', () => {
  const late = { ...fired, data: { ...data, resolution: 'cleared', minutes: 20 } };
  expect(JSON.parse(bodyOf('slack', late))).toMatchObject({ text: 'BUS-7 (HL0001): Offline – over after 20 min' });
  expect(pushMessage('en-US', late).body).toBe('BUS-7 · over after 20 min · US Cellular');
  expect(pushMessage('zh-TW', late).body).toBe('BUS-7 · 已恢復正常，歷時 20 分鐘 · US Cellular');
  const deleted = { ...late, data: { ...late.data, resolution: 'rule-deleted' } };
  expect(titleOf(deleted)).toBe('BUS-7 (HL0001): Offline – rule deleted after 20 min');
  expect(pushMessage('en-US', deleted).body).toBe('BUS-7 · rule deleted after 20 min · US Cellular');
  expect(pushMessage('zh-TW', deleted).body).toBe('BUS-7 · 規則已刪除，歷時 20 分鐘 · US Cellular');
});
