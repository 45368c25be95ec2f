import { nameUsageFile, usage as calls, usagePlans } from '@highline/contract';
import { DomainError } from '../../kernel/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { sendCsv, chosenColumns } from '../../platform/csv/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { previewPlan } from './plan-preview.ts';
import { assignSims } from './plan-sims.ts';
import { addPlan, deletePlan, listPlans, savePlan } from './plans.service.ts';
import { readSimsFile } from './sims-file.ts';
import { exportColumns } from './usage.export.ts';
import { readUseOf } from './use-of-sims.queries.ts';
import { readMonth } from './use-by-day.queries.ts';
import { usageList } from './usage.queries.ts';
import { setZone } from './zones.service.ts';

export type UsageRoutesDeps = Pick<Deps, 'database' | 'reader' | 'streams' | 'clock'>;

/** Ids of one call. */
const MOST_NAMED = 200;
const namesIn = (list: string | undefined) => (list ?? '').split(',', MOST_NAMED).filter((name) => name !== '');

/** Registers the calls of data use (USE-02). */
export function registerUsageRoutes(routes: Routes, deps: UsageRoutesDeps): void {
  const { reader, streams, clock } = deps;
  registerPlans(routes, deps);

  routes.on(calls.listUsage, async ({ scope, query }) => usageList(clock.now()).respond({ reader, streams }, scope, query));
  routes.on(calls.exportUsage, async (call) => {
    const { scope, query } = call;
    const now = clock.now();
    const all = exportColumns(query.by ?? 'sims');
    // The name of a vehicle is its row's name.
    const columns = chosenColumns(all, query.columns, calls.usageColumns).filter(
      (column) => query.by !== 'vehicles' || column !== all.device,
    );
    const { by = 'sims', cycle = 'current' } = query;
    const name = nameUsageFile(by, cycle, await readMonth(deps, scope, now));
    return sendCsv(call, name, columns, usageList(now).rows(streams, scope, query));
  });
  routes.on(calls.usageMonth, async ({ scope, query }) => ({ result: await readMonth(deps, scope, clock.now(), query) }));
  routes.on(calls.usageOf, async ({ scope, query }) => {
    const now = clock.now();
    const [devices, sims] = await Promise.all([
      readUseOf(reader, scope, now, { devices: namesIn(query.devices) }),
      readUseOf(reader, scope, now, { iccids: namesIn(query.iccids) }),
    ]);
    return { result: { devices, sims: sims.map(({ device: _, ...sim }) => sim) } };
  });
}

function registerPlans(routes: Routes, deps: UsageRoutesDeps): void {
  routes.on(usagePlans.listPlans, async ({ scope }) => ({ result: await listPlans(deps, scope) }));
  routes.on(usagePlans.addPlan, async ({ scope, actor, body: { realm: _realm, org: _org, ...fields } }) => ({
    result: { id: await addPlan(deps, scope, actor, fields) },
  }));
  routes.on(usagePlans.savePlan, async ({ scope, actor, params, body: { realm: _realm, org: _org, ...fields } }) => {
    await savePlan(deps, scope, actor, params.plan, fields);
    return { result: { id: params.plan } };
  });
  routes.on(usagePlans.deletePlan, async ({ scope, actor, params }) => {
    await deletePlan(deps, scope, actor, params.plan);
    return { result: { deleted: 1 as const } };
  });
  routes.on(usagePlans.assignSims, async ({ scope, actor, params, body }) => ({
    result: await assignSims(deps, scope, actor, params.plan, body),
  }));
  routes.on(usagePlans.readFile, async ({ file }) => {
    if (file === undefined) throw new DomainError('csv.empty', { field: 'file', reason: 'There is no file.' });
    return { result: { iccids: await readSimsFile(file.path) } };
  });
  routes.on(usagePlans.setZone, async ({ scope, actor, body: { zone } }) => ({
    result: await setZone(deps, scope, actor, zone),
  }));
  routes.on(usagePlans.previewPlan, async ({ scope, actor, body: { realm: _realm, org: _org, ...fields } }) => ({
    result: await previewPlan(deps, scope, actor, fields),
  }));
}
