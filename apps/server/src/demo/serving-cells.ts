import { addServedPositions } from '../domains/positions/index.ts';
import type { Database } from '../platform/ports/database.ts';
import { placeAt } from './coverage.ts';
import { demoOrganizations } from './fleet-data.ts';

const DAY_MS = 86_400_000;
/** Positions of one round: every twelve seconds. */
const STEPS = 300;

/**
 * The cell that serves a vehicle at a place: what the simulated routers report. They are another program, which a server never imports; a test compares
 * both.
 */
export function demoCellAt(latitude: number, longitude: number, carrier: string, technology: 'LTE' | 'NR'): string {
  const [north, east] = [latitude * 37, longitude * 28];
  const sector = Math.floor((north - Math.floor(north)) * 3);
  const ofCarrier = Buffer.from(carrier).reduce((sum, byte) => sum + byte, 0) % 80;
  const station = (Math.floor(north) & 1_023) * 1_024 + (Math.floor(east) & 1_023);
  return String((station * 256 + ofCarrier * 3 + sector) * (technology === 'NR' ? 256 : 1));
}

/** Where the cells are that served the buses of `seedCoverage` on their rounds (SAY-08). */
export async function seedServingCells(database: Database, now: Date): Promise<void> {
  const [{ name, vehicles }] = demoOrganizations as readonly [(typeof demoOrganizations)[number]];
  const [organization] = await database.read.selectFrom('organizations').select('id').where('name', '=', name).execute();
  if (organization === undefined) return;
  const at = new Date(now.getTime() - 2 * DAY_MS);
  const served = [...new Set(vehicles.map(({ carrier }) => carrier))].flatMap((carrier) =>
    (['LTE', 'NR'] as const).flatMap((technology) =>
      Array.from({ length: STEPS }, (_, step) => {
        const [latitude, longitude] = placeAt(step / 5);
        const cell = demoCellAt(latitude, longitude, carrier, technology);
        return { organization_id: organization.id, carrier, technology, cell, latitude, longitude, at };
      }),
    ),
  );
  await addServedPositions(database, served, 0);
}
