import { diagnosisLimits as limits } from '@highline/contract';
import { announceAll } from '../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { readComparisons, readWorstCells, type DeviceComparison } from '../coverage/index.ts';
import { diagnose } from './diagnose.ts';
import { deleteOrphans, lockPass, saveFindings, savePass, type DiagnosisPass } from './diagnosis.job.queries.ts';
import type { DeviceFacts } from './facts.ts';
import { BATCH, devicesAfter, devicesWith, listChanged, readFacts, readRolledUntil, type FactsRow } from './facts.job.queries.ts';
import { searchSharedLosses } from './shared-losses.job.queries.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Losses that belong together are noticed within a keep-alive window of each other: a minute is searched two minutes after its end. */
const SEARCH_DELAY_MS = 2 * MINUTE_MS;
/** Minutes of one search. */
const SEARCH_MS = 3 * HOUR_MS;
const LEAST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * A job: find what is wrong with devices (SAY-02). After each hour of readings that is rolled up all of them are looked at, in batches; those whose
 * connection, identity or position changed are within a minute. Every batch is a transaction of its own that can be repeated: a pass that was
 * interrupted continues where it was, at any process.
 */
export async function diagnoseDevices({ write }: Pick<Database, 'write'>, now: Date): Promise<void> {
  while (await write((tx) => searchNext(tx, now))) continue;
  await write((tx) => lookAtChanged(tx, now));
  while (await write((tx) => continuePass(tx, now))) continue;
}

/** @returns whether there are further minutes to search */
async function searchNext(tx: Tx, now: Date): Promise<boolean> {
  const pass = await lockPass(tx);
  if (pass === undefined) return false;
  const end = startOfMinute(now.getTime() - SEARCH_DELAY_MS);
  const from = Math.max(timeOf(pass.searched_until), startOfMinute(now.getTime() - limits.hours * HOUR_MS));
  const until = Math.min(end, from + SEARCH_MS);
  if (until <= from) return false;
  await searchSharedLosses(tx, new Date(from), new Date(until));
  await savePass(tx, { searched_until: new Date(until) });
  return until < end;
}

async function lookAtChanged(tx: Tx, now: Date): Promise<void> {
  const pass = await lockPass(tx);
  if (pass === undefined) return;
  const ids = await listChanged(tx, pass.looked_until, now);
  for (let start = 0; start < ids.length; start += BATCH) await evaluate(tx, devicesWith(ids.slice(start, start + BATCH)), now);
  await savePass(tx, { looked_until: now });
}

/** One batch of a pass over all devices. @returns whether there is another one */
async function continuePass(tx: Tx, now: Date): Promise<boolean> {
  const pass = await lockPass(tx);
  const target = pass === undefined ? undefined : await targetOf(tx, pass);
  if (pass === undefined || target === undefined) return false;
  const last = await evaluate(tx, devicesAfter(pass.after_device ?? LEAST_ID), now);
  if (last !== undefined) {
    await savePass(tx, { target, after_device: last });
    return true;
  }
  await deleteOrphans(tx);
  await savePass(tx, { computed_until: target, target: null, after_device: null });
  return false;
}

/** The end of the hours of the pass that runs, or of a new one if further hours were rolled up. */
async function targetOf(tx: Tx, { target, computed_until: computed }: DiagnosisPass): Promise<Date | undefined> {
  if (target !== null) return target;
  const rolled = await readRolledUntil(tx);
  return rolled.getTime() > timeOf(computed) ? rolled : undefined;
}

/** Diagnose these devices. @returns the last of them */
async function evaluate(tx: Tx, devices: Fragment, now: Date): Promise<string | undefined> {
  const rows = await readFacts(tx, devices, now);
  if (rows.length === 0) return undefined;
  const comparisons = Map.groupBy(await readComparisons(tx, rows, limits.antenna.days, now), ({ device }) => device);
  // Places are looked for only where they decide.
  const losing = rows.filter(({ losses }) => losses >= limits.place.losses);
  const cells = new Map((losing.length === 0 ? [] : await readWorstCells(tx, losing, now)).map((cell) => [cell.device, cell]));
  const diagnosed = rows.map((row) => ({
    ...row,
    findings: diagnose(factsOf(row, comparisons.get(row.id) ?? [], cells.get(row.id) ?? null), now),
  }));
  await announceAll(tx, await saveFindings(tx, diagnosed, now), 'devices');
  return rows.at(-1)!.id;
}

function factsOf(
  { identity, positionFault: fault, ...row }: FactsRow,
  compared: readonly DeviceComparison[],
  worstPlace: DeviceFacts['worstPlace'],
): DeviceFacts {
  return {
    ...row,
    identity: identity && { ...identity, at: new Date(identity.at) },
    positionFault: fault && { ...fault, since: new Date(fault.since), at: new Date(fault.at) },
    compared,
    worstPlace,
  };
}

const startOfMinute = (time: number): number => Math.floor(time / MINUTE_MS) * MINUTE_MS;

/** The driver reads '-infinity' as a number. */
const timeOf = (time: Date | number): number => Number(time);
