import { expect, test } from 'vitest';
import { durationParts } from '../../../entities/devices/duration.ts';
import { parseDeviceSearch } from './tabs.ts';

test('DPG-01-partial the tab is part of the address; a link to events leads to the timeline, an unknown tab to the overview', () => {
  expect(parseDeviceSearch({ device: 'a', tab: 'sims' })).toEqual({ device: 'a', tab: 'sims' });
  expect(parseDeviceSearch({ device: 'a', tab: 'overview' })).toEqual({ device: 'a' });
  expect(parseDeviceSearch({ device: 'a', tab: 'nowhere' })).toEqual({ device: 'a' });
  expect(parseDeviceSearch({ device: 'a', events: 'alarm' })).toEqual({ device: 'a', tab: 'timeline', events: 'alarm' });
  expect(parseDeviceSearch({ device: 'a', tab: 'settings', events: 'alarm' })).toEqual({ device: 'a', tab: 'settings' });
  expect(parseDeviceSearch({ device: 'a', range: '7d' })).toEqual({ device: 'a', range: '7d' });
  expect(parseDeviceSearch({ device: 'a', range: '2d', tab: 'sims' })).toEqual({ device: 'a', tab: 'sims' });
  const trail = { device: 'a', tab: 'location', day: '2026-11-20', color: 'signal' };
  expect(parseDeviceSearch(trail)).toEqual(trail);
  expect(parseDeviceSearch({ ...trail, tab: 'sims' })).toEqual({ device: 'a', tab: 'sims' });
  expect(parseDeviceSearch({ ...trail, day: 'x', color: 'speed' })).toEqual({ device: 'a', tab: 'location' });
  expect(parseDeviceSearch({ device: 1, tab: ['sims'] })).toEqual({});
});

test('DPG-01-partial a duration has its largest unit and, from an hour on, the next one', () => {
  const text = (seconds: number) => durationParts(seconds).map(({ unit, count }) => `${count} ${unit}`);
  expect(text(0)).toEqual(['0 seconds']);
  expect(text(-5)).toEqual(['0 seconds']);
  expect(text(59)).toEqual(['59 seconds']);
  expect(text(47 * 60 + 12)).toEqual(['47 minutes']);
  expect(text(3 * 3_600)).toEqual(['3 hours']);
  expect(text(3 * 3_600 + 12 * 60)).toEqual(['3 hours', '12 minutes']);
  expect(text(50 * 3_600)).toEqual(['2 days', '2 hours']);
});
