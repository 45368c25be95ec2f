import { expect, it } from 'vitest';
import { acknowledgedOf } from './alert-event-data.ts';

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
