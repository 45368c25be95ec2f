import { deviceAdding, deviceReplacement, devices, organizations, positions, timeline } from '@highline/contract';
import { respondWithCopy } from '../../platform/csv/index.ts';
import { DomainError, required } from '../../kernel/failure.ts';
import { isId } from '../../kernel/ids.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { createTotals, type Reader, type Totals } from '../../platform/listing/index.ts';
import { isSet } from '../../platform/calls/query-flag.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { mayReadPart } from '../../kernel/rights.ts';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { agentSettings, readRejection, type AgentAddress } from '../inventory/index.ts';
import { readRouterState } from './device-history.queries.ts';
import { readFindings } from './device-diagnosis.queries.ts';
import { readHealthInputs } from './device-health.queries.ts';
import { readReadings } from './device-readings.queries.ts';
import { toLastValuesDto, toSubscriptionDto } from './device-feeds.dto.ts';
import { deviceExport, exportedIds } from './device.export.ts';
import { toDeviceDto, type DeviceRow, type LiveContext } from './device.dto.ts';
import { addDevices } from './devices.add.ts';
import { addBatch } from './devices.batch.ts';
import type { RoutersClaimed } from './devices.claim.ts';
import { importDevices } from './devices.import.ts';
import { countDevices, deviceList, findDevice, findDevices, listTags } from './devices.queries.ts';
import { replaceRouter, type RouterReplaced } from './devices.replace.ts';
import { deleteDevices, saveDevice } from './devices.service.ts';
import { saveSubscription } from './devices.subscription.ts';
import { transferDevices } from './devices.transfer.ts';
import { sendSaved, tagResponse } from '../../platform/calls/entity-tag.ts';
import { pageTimeline } from './timeline.queries.ts';
import { type Attention } from './latest-offline.queries.ts';
import { readAttention, withinRights } from './attention.queries.ts';
import { listOnlineShares } from './online-shares.ts';
import { changeCarrierColor, readCarrierColors } from './carrier-colors.ts';
import { readStatistics, type Statistics } from './statistics.queries.ts';

export interface DeviceRoutesDeps extends Pick<
  Deps,
  'database' | 'reader' | 'streams' | 'keySamples' | 'clock' | 'deviceLink' | 'contacts' | 'expiringDays' | 'onChanged'
> {
  readonly agent: AgentAddress;
  readonly routerReplaced: RouterReplaced;
  readonly routersClaimed: RoutersClaimed;
}

/** How old an overview may be. */
const STATISTICS_LIFETIME_MS = 1_000;

type CachedTotals = ReturnType<typeof cachedTotalsOf>;

function cachedTotalsOf(deps: DeviceRoutesDeps) {
  const totals = createTotals<Totals>(deps);
  const statistics = createTotals<Statistics>(deps, STATISTICS_LIFETIME_MS, { waits: true });
  const attention = createTotals<Attention>(deps, STATISTICS_LIFETIME_MS, { waits: true });
  return {
    totals,
    statistics,
    attention,
    /** After a change in an organization of this main account. */
    invalidate: ({ mainAccountId }: Pick<Scope, 'mainAccountId'>) => {
      totals.invalidate(mainAccountId);
      statistics.invalidate(mainAccountId);
      attention.invalidate(mainAccountId);
    },
  };
}

/** Registers the device operations (DEV, OGL). */
export function registerDeviceRoutes(routes: Routes, deps: DeviceRoutesDeps): void {
  const cached = cachedTotalsOf(deps);
  registerLists(routes, deps, cached);
  registerScreens(routes, deps, cached);
  registerChanges(routes, deps, cached);
  registerOrganizations(routes, deps, cached);
}

function contextOf({ clock, expiringDays, contacts }: DeviceRoutesDeps, actor: Actor): LiveContext {
  return { now: clock.now(), expiringDays, contacts, showsPositions: mayReadPart(actor, positions.map) };
}

function registerLists(routes: Routes, deps: DeviceRoutesDeps, { totals }: CachedTotals): void {
  const sources = { ...deps, totals };

  routes.on(devices.listDevices, async ({ scope, actor, query }) => {
    const context = contextOf(deps, actor);
    return deviceList(context, (row) => toDeviceDto(row, context), 'online').respond(sources, scope, query);
  });

  routes.on(devices.exportDevices, async (call) => {
    const { scope, actor, query } = call;
    const context = contextOf(deps, actor);
    const layout = query.layout ?? 'devices';
    const ids = exportedIds(layout, query.columns);
    const { read, columns } = deviceExport(ids, context, query);
    const rows = deviceList(context, (row) => row).copyWith(deps.streams, scope, query, read);
    return respondWithCopy(call, query.layout === 'service' ? 'Service_export' : 'Devices_export', columns, rows);
  });

  routes.on(devices.exportChosen, async (call) => {
    const { scope, actor, body } = call;
    const chosen = [...new Set(body.devices.map((id) => id.toLowerCase()))];
    if (!chosen.every(isId) || (await countDevices(deps.reader, scope, chosen)) < chosen.length)
      throw new DomainError('not_found', { field: 'devices' });
    const context = contextOf(deps, actor);
    const { layout = 'devices', language, zone, format } = body;
    const ids = exportedIds(layout, body.columns);
    const { read, columns } = deviceExport(ids, context, { language, zone });
    const rows = deviceList(context, (row) => row).copyWith(deps.streams, scope, { devices: chosen }, read);
    return respondWithCopy({ ...call, query: { language, format } }, 'Devices_export', columns, rows);
  });

  routes.on(devices.listSubscriptions, async ({ scope, actor, query }) => {
    const context = contextOf(deps, actor);
    return deviceList(context, (row) => toSubscriptionDto(row, context)).respond(sources, scope, query);
  });

  routes.on(devices.lastQuery, async ({ scope, actor, query }) => {
    const context = contextOf(deps, actor);
    const { device = '', ...place } = query;
    if (device !== '' && device !== 'all_devices')
      return { result: [toLastValuesDto(await getDevice(deps.reader, scope, device), context)], total: 1 };
    return deviceList(context, (row) => toLastValuesDto(row, context)).respond(sources, scope, place);
  });
}

function registerScreens(routes: Routes, deps: DeviceRoutesDeps, { statistics, attention }: CachedTotals): void {
  const { reader, agent } = deps;

  routes.on(devices.getDevice, async ({ scope, actor, query, reply }) => {
    const row = await getDevice(reader, scope, query.device);
    const context = contextOf(deps, actor);
    const device = toDeviceDto(row, context);
    const ids = { endpointId: device.udid, controllerId: agent.controllerId };
    const [state, rejection, inputs, findings] = await Promise.all([
      readRouterState(reader, row),
      readRejection(reader, scope, row, ids),
      readHealthInputs(reader, row),
      readFindings(reader, scope, row, context),
    ]);
    tagResponse(reply, row.version);
    return {
      result: { ...device, agent: agentOf(row, device.udid, agent), ...state, rejection, findings, health_inputs: inputs },
    };
  });

  routes.on(devices.listTags, async ({ scope }) => ({
    result: await listTags(reader, scope, devices.MAX_LISTED_TAGS),
  }));

  routes.on(devices.deviceReadings, async ({ scope, query }) => {
    const row = await getDevice(reader, scope, query.device);
    return { result: await readReadings(reader, row, query.range ?? '24h', deps.clock.now()) };
  });

  routes.on(timeline.deviceTimeline, async ({ scope, actor, query }) => {
    const row = await getDevice(reader, scope, query.device);
    return pageTimeline(reader, row, actor, query);
  });

  routes.on(devices.statistics, async ({ scope, actor, query }) => {
    const zone = query.zone ?? 'UTC';
    const whose = scope.kind === 'organization' ? scope.organizationId : 'main';
    const read = async () => {
      const counts = await readStatistics(reader, scope, zone, contextOf(deps, actor));
      const names = counts.carriers.map(({ carrier }) => carrier);
      const colors = await readCarrierColors(deps.database, scope, names);
      return { ...counts, carriers: counts.carriers.map((each) => ({ ...each, color: colors.get(each.carrier) ?? 1 })) };
    };
    return { result: await statistics.get(scope.mainAccountId, `${reader.source.name()} ${whose} ${zone}`, read) };
  });

  routes.on(devices.saveCarrierColor, async ({ scope, actor, body: { carrier, color } }) => {
    await changeCarrierColor(deps, scope, actor, { carrier, color });
    return { result: { carrier, color } };
  });

  routes.on(devices.attention, async ({ scope, actor, query: { offline = '1h' } }) => {
    const whose = scope.kind === 'organization' ? scope.organizationId : 'main';
    const read = () => readAttention(reader, scope, offline, contextOf(deps, actor));
    const found = await attention.get(scope.mainAccountId, `${reader.source.name()} ${whose} ${offline}`, read);
    return { result: withinRights(found, actor) };
  });

  routes.on(devices.onlineShare, async ({ scope, query }) => ({
    result: await listOnlineShares(reader, scope, Number(query.hours ?? 24), deps.clock.now()),
  }));
}

function registerChanges(routes: Routes, deps: DeviceRoutesDeps, { invalidate }: CachedTotals): void {
  const { reader } = deps;

  routes.on(deviceAdding.addDevices, async ({ scope, actor, body }) => {
    const ids = await addDevices(deps, scope, actor, body.devices);
    invalidate(scope);
    const context = contextOf(deps, actor);
    return { result: (await findDevices(reader, scope, ids)).map((row) => toDeviceDto(row, context)) };
  });

  routes.on(deviceAdding.addBatch, async ({ scope, actor, query, body }) => {
    const dryRun = isSet(query.dryRun);
    const result = await addBatch(deps, scope, actor, body, { dryRun, confirmed: query.confirmed });
    invalidate(scope);
    return { result: { dryRun, ...result } };
  });

  routes.on(deviceAdding.importDevices, async ({ scope, actor, query, body, file }) => {
    if (file === undefined) throw new DomainError('csv.empty', { field: 'file', reason: 'There is no file.' });
    const { dryRun, encoding, dates = 'mdy' } = query;
    const options = { dryRun: isSet(dryRun), layout: body.layout ?? 'devices', encoding, dates } as const;
    const result = await importDevices(deps, scope, actor, file.path, options);
    invalidate(scope);
    return { result };
  });

  routes.on(devices.deleteDevices, async ({ scope, actor, body }) => {
    const deleted = await deleteDevices(deps, scope, actor, body.devices);
    invalidate(scope);
    return { result: { deleted } };
  });

  const current = async (scope: Scope, actor: Actor, id: string) => {
    const row = await getDevice(deps.reader, scope, id);
    return { version: row.version, result: toDeviceDto(row, contextOf(deps, actor)) };
  };

  routes.on(devices.saveDevice, (call) => {
    const { scope, actor, body } = call;
    const { device: id, ...changes } = body;
    return sendSaved(
      call,
      async (isCurrent) => {
        await saveDevice(deps, scope, actor, id, changes, isCurrent);
        invalidate(scope);
      },
      () => current(scope, actor, id),
    );
  });

  routes.on(deviceReplacement.replaceRouter, async ({ scope, actor, query, body }) => {
    const { device: id, serial_number: serial, mac } = body;
    const replacement = { device: id, serial, mac, dryRun: isSet(query.dryRun), confirmed: query.confirmed };
    const effect = await replaceRouter(deps, scope, actor, replacement);
    invalidate(scope);
    return { result: (await current(scope, actor, id)).result, effect };
  });

  routes.on(devices.saveSubscription, (call) => {
    const { scope, actor, body } = call;
    return sendSaved(
      call,
      async (isCurrent) => {
        await saveSubscription(deps, scope, actor, body, isCurrent);
        invalidate(scope);
      },
      () => current(scope, actor, body.device),
    );
  });
}

function registerOrganizations(routes: Routes, deps: DeviceRoutesDeps, { totals, invalidate }: CachedTotals): void {
  routes.on(organizations.organizationDevices, async ({ scope, actor, query }) => {
    const context = contextOf(deps, actor);
    return deviceList(context, (row) => toDeviceDto(row, context)).accountResponse({ ...deps, totals }, scope, query);
  });

  routes.on(organizations.transferDevices, async ({ scope, actor, body, query: { dryRun, confirmed } }) => {
    const transfer = { ...body, dryRun: isSet(dryRun), confirmed };
    const { transferred, impact, lost } = await transferDevices(deps, scope, actor, transfer);
    if (transferred > 0) invalidate(scope);
    return { result: { transferred }, impact, lost };
  });
}

/** @throws DomainError `not_found`, also for another organization's device and for an invalid id */
async function getDevice(reader: Reader, scope: Scope, id: string): Promise<DeviceRow> {
  return required(await findDevice(reader, scope, id), 'not_found');
}

/** The settings to enter at a router that never connected (DECISIONS, Inventory and claiming); null once it has. */
function agentOf(row: DeviceRow, endpointId: string, agent: AgentAddress) {
  return row.last_seen_at === null ? agentSettings(agent, endpointId, row.authentication) : null;
}
