import { expect, it } from 'vitest';
import { acknowledgedOf, firedOf } from './alert-event-data.ts';

const now = new Date('2026-11-30T08:00:00Z');
type Fired = Parameters<typeof acknowledgedOf>[0][number];

const fired = (state: Fired['state'], by = ''): Fired => ({
  id: 'alert',
  device_id: 'device',
  rule_name: 'Lost',
  severity: 'critical',
  serial: 'HL-1',
  vehicle_number: '',
  group_name: 'North depot',
  carrier: null,
  latitude: null,
  longitude: null,
  place: null,
  kind: 'offline',
  value: null,
  reading: null,
  geofence: null,
  since: now,
  fired_at: now,
  state,
  resolved_at: state === 'resolved' ? now : null,
  resolution: state === 'resolved' ? 'cleared' : null,
  acknowledged_by: by,
  storm_id: 'storm',
});
const seen = fired('acknowledged', 'ann@x.invalid');
const typesOf = (alerts: readonly Fired[], goesOn = false) =>
  acknowledgedOf(alerts, { isStorm: true, storm: 'storm', goesOn }, now).map(({ type, data }) => [type, data['by']]);

it('ALR-05-partial a storm is acknowledged before its message when all that goes on of it is', () => {
  expect(typesOf([seen, fired('resolved'), seen])).toEqual([['alert.acknowledged', 'ann@x.invalid']]);
  expect(typesOf([seen, fired('firing')])).toEqual([]);
  expect(typesOf([fired('resolved', 'ann@x.invalid')])).toEqual([]);
});

it('ALR-05-partial what joins a storm later does not acknowledge what was reported before', () => {
  expect(typesOf([seen], true)).toEqual([]);
});

it('ALR-05-partial what an alert measured has its unit, whatever kind its rule is of', () => {
  const summaryOf = (kind: Fired['kind'], value: number) => firedOf({ ...fired('firing'), kind, value }, now).data['summary'];
  expect([
    summaryOf('subscription-ends', 30),
    summaryOf('subscription-ends', 1),
    summaryOf('subscription-ends', -3),
    summaryOf('data-use', 5_120.4),
    summaryOf('connection-lost', 4),
    summaryOf('test', 812.6),
  ]).toEqual([
    'Lost: 30 days left',
    'Lost: 1 day left',
    'Lost: ended 3 days ago',
    'Lost: 5,120 MB',
    'Lost: 4 lost connections',
    'Lost: 813 ms',
  ]);
});
