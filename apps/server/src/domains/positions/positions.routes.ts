import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { alerts, devices, positionFeed, positions as calls } from '@highline/contract';
import { mayReadPart, type Scope } from '../../kernel/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { announceFile, fileNameOf } from '../../platform/calls/attachment.ts';
import { tagIfChanged } from '../../platform/calls/entity-tag.ts';
import { JsonText } from '../../platform/calls/json-text.ts';
import type { Reader } from '../../platform/listing/index.ts';
import type { Contact, Contacts } from '../../platform/ports/contacts.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { sendTrail, readDayTrail, rounded, tenth } from './day-trail.service.ts';
import { readFeed } from './feed.service.ts';
import {
  countMatching,
  countWithoutPosition,
  listEstimatedPositions,
  listNewestPositions,
  type EstimatedDevice,
  type PositionedDevice,
} from './positions.queries.ts';
import { writeTrail } from './trail-files.ts';

export type PositionRoutesDeps = Pick<Deps, 'reader' | 'clock' | 'contacts' | 'expiringDays'>;

/** Registers the calls of positions (POS). */
export function registerPositionRoutes(routes: Routes, { reader, clock, contacts, expiringDays }: PositionRoutesDeps): void {
  routes.on(calls.map, async ({ scope, actor, query, request, reply }) => {
    const context = { now: clock.now(), expiringDays };
    const [found, estimated, counts] = await Promise.all([
      listNewestPositions(reader, scope, query, context),
      query.since === undefined ? listEstimatedPositions(reader, scope, query, context) : undefined,
      query.since === undefined ? countDevices(reader, scope, query, context) : undefined,
    ]);
    const shown = { contacts, showsAlerts: mayReadPart(actor, alerts.listAlerts) };
    const isCut = found.length > calls.MAX_ON_MAP;
    const vehicles = found.slice(0, calls.MAX_ON_MAP).map((row) => toVehicle(row, shown));
    const without = counts !== undefined && 'devices' in counts ? withoutPosition(found, counts, context.now) : counts;
    const text = JSON.stringify({
      vehicles,
      isCut,
      ...(estimated === undefined ? {} : { estimated: estimated.map((row) => toEstimated(row, shown)) }),
      ...without,
    });
    const tag = hash('sha256', text, 'base64url').slice(0, 22);
    tagIfChanged(request, reply, tag);
    return new JsonText(`{"result":${text.slice(0, -1)},"asOf":${context.now.getTime()}}}`);
  });

  routes.on(positionFeed.feed, async ({ scope, query, request, reply }) => {
    const { type, tag, parts } = await readFeed(reader, scope, query, clock.now());
    reply.type(type);
    return Readable.from(tagIfChanged(request, reply, tag) ? [] : parts);
  });

  routes.on(calls.trail, async ({ scope, query }) => ({
    result: await sendTrail(reader, await readDayTrail(reader, scope, query, clock.now()), clock.now()),
  }));

  routes.on(calls.trailFile, async ({ scope, query, reply }) => {
    const trail = await readDayTrail(reader, scope, query, clock.now());
    const { format } = query;
    const type = format === 'csv' ? `${calls.trailTypes.csv}; charset=utf-8` : calls.trailTypes[format];
    announceFile(reply, `${fileNameOf(`${trail.device.name} ${trail.day}`, 'trail')}.${format}`, type);
    return writeTrail(trail, query);
  });
}

/**
 * How many devices match, where all of them fit on the map: then what is missing among the positions that are read anyway says the rest. Else the
 * counts themselves, which look for the position of each device.
 */
async function countDevices(
  reader: Reader,
  scope: Scope,
  query: calls.MapQuery,
  context: { readonly now: Date; readonly expiringDays: number },
) {
  if (query.bbox === undefined) {
    const matching = await countMatching(reader, scope, query, context);
    if (matching.devices <= calls.MAX_ON_MAP) return matching;
  }
  return countWithoutPosition(reader, scope, query, context);
}

/** The same counts as `countWithoutPosition`, from all devices that match and those that have a position. */
function withoutPosition(
  found: readonly PositionedDevice[],
  { devices: all, rejected }: { readonly devices: number; readonly rejected: number },
  now: Date,
): { never: number; old: number; rejected: number } {
  const before = now.getTime() / 1_000 - devices.OLD_POSITION_HOURS * 3_600;
  // A device may have got its first position between the two statements.
  return { never: Math.max(0, all - found.length), old: found.filter(({ at }) => at < before).length, rejected };
}

/** Unknown (null) is newer than what is stored. */
function latestSignal(latest: Contact | undefined, { rssi }: Pick<PositionedDevice, 'rssi'>): number | null {
  return latest?.rssi === undefined ? rssi : latest.rssi;
}

/** @param rank from 1, the most severe */
function severityOf(rank: number | null): alerts.Severity | null {
  return rank === null ? null : (alerts.severities[rank - 1] ?? null);
}

/** What vehicles are shown with. */
interface Shown {
  readonly contacts: Contacts;
  /** Whether the caller may read alerts. */
  readonly showsAlerts: boolean;
}

function toVehicle(row: PositionedDevice, { contacts, showsAlerts }: Shown): calls.MapVehicle {
  return [
    row.device,
    row.name,
    rounded(row.latitude),
    rounded(row.longitude),
    row.at,
    row.presence,
    latestSignal(contacts.latest(row.router_id), row),
    tenth(row.speed),
    row.heading === null ? null : Math.round(row.heading),
    tenth(row.accuracy),
    row.is_jump,
    showsAlerts ? severityOf(row.alert) : null,
    row.diagnosis,
  ];
}

function toEstimated(row: EstimatedDevice, { contacts, showsAlerts }: Shown): calls.EstimatedVehicle {
  return [
    row.device,
    row.name,
    rounded(row.latitude),
    rounded(row.longitude),
    row.at,
    row.presence,
    latestSignal(contacts.latest(row.router_id), row),
    Math.round(row.radius),
    showsAlerts ? severityOf(row.alert) : null,
    row.diagnosis,
  ];
}
