import { coverage, outages } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const CELL = '882664c1a9fffff';
const lost = { rank: 1, cell: CELL, squareKm: 0.7, latitude: 41.976, longitude: -87.689, minutes: 54, drops: 2, samples: 3 };

test('POS-06-partial RPM-04-partial a dead zone leads to its outages in the same period and of the same carrier', async () => {
  const { open, sendList, respond, user, address } = startConsole();
  const period = { from: '2026-11-13', until: '2026-11-19' };
  respond(coverage.cells, {
    result: { ...period, resolution: 4, isCut: false, cells: [], carriers: ['Northern'], technologies: [] },
  });
  sendList(coverage.deadZones, [{ ...lost, rsrp: -117, rsrq: null }]);
  await open('/coverage?tab=zones&days=7&carrier=Northern');
  await user.click(screen.getByRole('link', { name: /^2 lost connections/u }));
  await expect.poll(address).toBe(`/outages?hexagon=${CELL}&period=7&carrier=Northern`);
});

const [cell] = example(coverage.cells).result.cells;
/** A fleet in two cities: hexagons are small where the requested part of the map is, as the server makes them. */
const cellsOf = (bbox: readonly number[] | undefined) => {
  const isNear = bbox !== undefined && bbox[2]! - bbox[0]! < 1;
  const at = (id: string, latitude: number, longitude: number) => {
    return { ...cell!, cell: id, latitude, longitude, corners: [[longitude, latitude] as [number, number]] };
  };
  const chicago = at(isNear ? CELL : '842664dffffffff', 41.976, -87.689);
  const seattle = at('8428d55ffffffff', 47.6, -122.3);
  return isNear ? [chicago] : [chicago, seattle];
};
const startTwoCities = () => {
  const started = startConsole();
  started.respond(coverage.cells, ({ query: { bbox } }) => ({
    result: { ...example(coverage.cells).result, cells: cellsOf(bbox) },
  }));
  return started;
};
const shownPlace = () => screen.findByRole('region', { name: /^Selected area: 41\.976, -87\.689/u });

test('POS-06-partial a dead zone leads to a map that begins at its place, where it is chosen', async () => {
  const { open, sendList, user, loaded } = startTwoCities();
  sendList(coverage.deadZones, [{ ...lost, rsrp: -117, rsrq: null }]);
  await open('/coverage?tab=zones');
  await user.click(screen.getByRole('link', { name: /^41\.976, -87\.689/u }));
  await loaded();
  expect(await shownPlace()).toBeTruthy();
  expect(await screen.findByRole('img', { name: 'Map of 41.976, -87.689' })).toBeTruthy();
});

test('POS-06-partial RPM-04-partial the place of an outage leads to its hexagon, with the days and the carrier that are chosen', async () => {
  const { open, sendList, user, loaded, address } = startTwoCities();
  sendList(outages.listOutages, [{ latitude: 41.976, longitude: -87.689, hexagon: CELL, carrier: 'Northern' }]);
  await open('/outages?period=7&carrier=Northern');
  const link = screen.getAllByRole('link').find((each) => each.getAttribute('href')?.startsWith('/coverage?') === true);
  await user.click(link!);
  await loaded();
  expect(await shownPlace()).toBeTruthy();
  expect(address()).toBe(`/coverage?days=7&carrier=Northern&cell=${CELL}&at=41.976%2C-87.689`);
});

test('POS-06-partial a map without a place in its address begins with all hexagons, also with one that names none', async () => {
  const { open } = startTwoCities();
  await open('/coverage?at=north,west');
  expect(await screen.findByRole('img', { name: 'Map of 41.976, -87.689; 47.6, -122.3' })).toBeTruthy();
});
