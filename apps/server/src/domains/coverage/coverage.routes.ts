import { coverage as calls } from '@highline/contract';
import type { Routes } from '../../platform/calls/call.ts';
import { sendCsv, chosenColumns } from '../../platform/csv/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { vehicleColumns, zoneColumns } from './coverage.export.ts';
import { vehicleList } from './covered-vehicles.queries.ts';
import { deadZoneList } from './coverage.queries.ts';
import { filterOf, readCoverage } from './coverage.service.ts';

/** Registers the calls of coverage (POS-06). */
export function registerCoverageRoutes(
  routes: Routes,
  { reader, streams, clock }: Pick<Deps, 'reader' | 'streams' | 'clock'>,
): void {
  routes.on(calls.cells, async ({ scope, query }) => ({ result: await readCoverage(reader, scope, query, clock.now()) }));

  routes.on(calls.deadZones, async ({ scope, query }) => {
    const list = deadZoneList(await filterOf(reader, scope, query, clock.now()));
    return list.respond({ reader, streams }, scope, query);
  });
  routes.on(calls.exportDeadZones, async (call) => {
    const { scope, query } = call;
    const list = deadZoneList(await filterOf(reader, scope, query, clock.now()));
    const columns = chosenColumns(zoneColumns, query.columns, calls.deadZoneColumns);
    return sendCsv(call, 'coverage_dead_zones', columns, list.rows(streams, scope, query));
  });

  routes.on(calls.vehicles, async ({ scope, query }) => {
    const list = vehicleList(await filterOf(reader, scope, query, clock.now()));
    return list.respond({ reader, streams }, scope, query);
  });
  routes.on(calls.exportVehicles, async (call) => {
    const { scope, query } = call;
    const list = vehicleList(await filterOf(reader, scope, query, clock.now()));
    const columns = chosenColumns(vehicleColumns, query.columns, calls.coverageVehicleColumns);
    return sendCsv(call, 'coverage_vehicles', columns, list.rows(streams, scope, query));
  });
}
