import { allOperations } from '@highline/contract/all-operations';
import { READ_MS, type Case } from './anonymous-limits.ts';
import { checkResponse } from './api.ts';
import { serialize } from './api-requests.ts';
import { sendRaw } from './raw-call.ts';

const collection = (coordinates: number[][], count: number): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: Array.from({ length: count }, (_, n) => ({
      type: 'Feature',
      properties: { name: `Area ${n}` },
      geometry: { type: 'Polygon', coordinates: [coordinates] },
    })),
  });

export const importingCases = (name: string, coordinates: () => number[][], count: number): Case => ({
  entry: name,
  name,
  async run(subject, report, stage, index) {
    const operation = allOperations.find(({ id }) => id === 'geofences.import')!;
    const tenant = await stage.tenant();
    const body = { geojson: collection(coordinates(), count) };
    const raw = serialize(operation, { body }, subject.port, tenant.bearers.admin);
    checkResponse(report, await sendRaw(subject.port, raw, READ_MS), name, index);
  },
});
