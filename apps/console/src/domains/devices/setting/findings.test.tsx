import { devices, type Finding } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';

const since = Math.floor(Date.parse('2026-11-12T00:00:00Z') / 1_000);
const place = { latitude: 41.96812, longitude: -87.65123, losses: 9 };

async function show(...findings: Finding[]): Promise<string[]> {
  const { open, respond } = startConsole();
  const { result } = example(devices.getDevice);
  respond(devices.getDevice, { result: { ...result, device: 'one', agent: null, findings } });
  await open('/devices/setting?device=one');
  return within(screen.getByRole('region', { name: 'Diagnosis' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent);
}

test('SAY-02-partial the page of a device begins with what was found, why it is believed and what to do next', async () => {
  const [antenna, restarts] = await show(
    { kind: 'antenna', since, db: -16.7, samples: 1_200, cells: 72 },
    { kind: 'restarts', since, restarts: 40, inHour: 6 },
  );
  expect(antenna).toMatch(/^Antenna or cable suspectedsince 11\/12\/2026/u);
  expect(antenna).toContain('16.7 dB below other vehicles in the same places, over 1,200 samples in 72 areas.');
  expect(antenna).toContain('Check the antenna connector, then the cable; then replace the antenna. Compare vehicles');
  expect(screen.getByRole('link', { name: 'Compare vehicles' }).getAttribute('href')).toBe('/coverage?tab=vehicles');
  expect(restarts).toContain('40 restarts in 24 hours that no one ordered, up to 6 within an hour.');
});

const sentences: readonly (readonly [Finding, string])[] = [
  [{ kind: 'identity', since, cause: 'serial-mismatch' }, 'another serial number than the inventory has'],
  [{ kind: 'supply', since, volts: 10.9, limit: 11.5, hours: 3 }, 'fell to 10.9 V on average of an hour, below 11.5 V in 3 of the last 24 hours'],
  [{ kind: 'sim', since, cause: 'idle', hours: 22 }, 'a signal for 22 hours, and not one byte passed'],
  [{ kind: 'sim', since, cause: 'missing', hours: null }, 'reports none now'],
  [{ kind: 'storage', since }, 'does not fit into the memory'],
  [{ kind: 'heat', since, celsius: 78.4, limit: 75 }, '173.1 °F on average of an hour. From 167 °F on'],
  [{ kind: 'unstable', since, losses: 7, minutes: 30 }, 'lost 7 times within 30 minutes'],
  [{ kind: 'drops', since, losses: 13, place: null }, 'lost 13 times in 24 hours.'],
  [{ kind: 'drops', since, losses: 13, place }, '9 of them in one area: example at example.'],
  [{ kind: 'position', since, reason: 'future', count: 40 }, '40 positions were rejected: its time is in the future.'],
  [{ kind: 'place', since, losses: 12, place: null, others: 6 }, 'lost 12 times in 24 hours.'],
  [{ kind: 'place', since, losses: 12, place, others: 6 }, '9 of 12 lost connections were in one area (example at example), where other vehicles lost theirs 6 times in a week'],
  [{ kind: 'clock', since, seconds: -4_000 }, 'Its clock is 1 h 6 min behind.'],
  [{ kind: 'clock', since, seconds: -2_147_484 }, 'Its clock is not set.'],
]; // prettier-ignore

test.each(sentences)('SAY-02-partial %o', async (found, expected) => {
  const [text] = await show(found);
  expect(text).toContain(expected);
});

test('a device of which nothing was found has no such part', async () => {
  const { open, respond } = startConsole();
  const { result } = example(devices.getDevice);
  respond(devices.getDevice, { result: { ...result, device: 'one', agent: null, findings: [] } });
  await open('/devices/setting?device=one');
  expect(screen.queryByRole('region', { name: 'Diagnosis' })).toBeNull();
});
