import { configure } from '@testing-library/react';
import { vi } from 'vitest';
import { shownTexts } from './shown-texts.ts';

// Before each file of tests.

const standIns = () => import('./stand-ins.tsx');
vi.mock('../domains/coverage/CoverageMap.tsx', async () => ({ CoverageMap: (await standIns()).FittedHexagons }));
vi.mock('../domains/geofences/GeofenceMap.tsx', async () => ({ GeofenceMap: (await standIns()).Nothing }));
vi.mock('../domains/positions/trail/TrailMap.tsx', async () => ({ TrailMap: (await standIns()).Nothing }));
vi.mock('../domains/positions/VehicleMap.tsx', async () => {
  return { VehicleMap: (await standIns()).FittedVehicles, prepareBaseMap: () => Promise.resolve() };
});
vi.mock('../domains/remote-access/terminal/TerminalView.tsx', async () => ({ default: (await standIns()).NamedTerminal }));
vi.mock('../domains/tools/SpeedMap.tsx', async () => ({ SpeedMap: (await standIns()).CountedPlaces }));
vi.mock('../share/ShareMap.tsx', async () => ({ ShareMap: (await standIns()).Nothing }));
vi.mock('../ui/terminal/open-screen.ts', async () => ({ openScreen: (await standIns()).openTextScreen }));

configure({
  // A bound for what hangs, no measure.
  asyncUtilTimeout: 30_000,
  getElementError: (message) => new Error(`${message?.split('\n')[0] ?? 'Not found.'}\nThe page shows: ${shownTexts()}`),
});
