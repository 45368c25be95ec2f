import { coverage } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

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
