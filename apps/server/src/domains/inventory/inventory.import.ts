import { failures, inventory as calls } from '@highline/contract';
import { normalizeMac } from '@highline/usp';
import type { z } from 'zod';
import { changesOf, setFields } from '../../platform/csv/index.ts';
import { mendableReportOf, openTable, type FileSummary, type ReadOptions, type TableShape } from '../../platform/tables/index.ts';
import { DomainError, type Actor, type MainScope } from '../../kernel/index.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { assertMayEnter, countCollisions, type CollisionDeps } from './collisions.ts';
import { isEndpointId } from './endpoint-id.ts';
import { findCollisions, type Collision, type RouterNames } from './inventory.store.ts';
import { names, registerRouters, type RouterToRegister } from './register-routers.ts';

export type RouterImport = z.input<typeof calls.importRouters.response>['result'];

export const routerShape: TableShape<'serial' | 'mac', 'model' | 'endpointId'> = {
  required: { serial: 'SN', mac: 'MAC' },
  optional: { model: 'Model', endpointId: 'Endpoint ID' },
};
const MAX_FAILURES = 1_000;
const MAX_IDS = 200;
const TAKEN: Readonly<Record<Collision, string>> = {
  serial: failures['inventory.serial_taken'].message,
  mac: failures['inventory.mac_taken'].message,
  endpoint: failures['inventory.endpoint_taken'].message,
  elsewhere: failures['inventory.taken_elsewhere'].message,
};

interface Failure {
  readonly row: number;
  readonly serial: string;
  readonly mac: string;
  readonly error: string;
}

/** A row of the file that may be added. */
interface GoodRow {
  readonly row: number;
  readonly router: RouterToRegister;
}

/**
 * Add the routers of a CSV or a workbook (SN, MAC, optional Model and Endpoint ID). Good rows are added, bad ones listed by their row; only the
 * answer contains the minted secrets. One transaction and one audit entry for the whole file.
 * @param dryRun check only, write nothing
 * @throws DomainError `csv.*`; `csv.all_failed` with the result as detail when no row was good
 */
export async function importRouters(
  deps: CollisionDeps,
  scope: MainScope,
  actor: Actor,
  path: string,
  { dryRun, ...options }: ReadOptions & { readonly dryRun: boolean },
): Promise<RouterImport> {
  await assertMayEnter(deps, scope);
  const { good, bad, summary } = await readRows(path, options);
  const found = await findTaken(deps.database.read, scope, good);
  await countCollisions(deps, scope, found.filter(({ error }) => error === TAKEN.elsewhere).length);
  const { registered, taken } = dryRun
    ? { registered: [], taken: found }
    : await deps.database.write((tx) => register(tx, scope, actor, good, deps.clock.now()));
  const success = good.length - taken.length;
  const failures = [...bad, ...taken].sort((a, b) => a.row - b.row);
  const rejected = new Set(taken.map(({ row }) => row));
  const result: RouterImport = {
    dryRun,
    success,
    total: good.length + bad.length,
    failed: failures.length,
    fail: failures.slice(0, MAX_FAILURES),
    changes: { ...changesOf(good.filter(({ row }) => !rejected.has(row)).map(changeOf)), newTags: [] },
    ...(await mendableReportOf({ path, shape: routerShape, options }, failures)),
    file: summary,
    ids: registered.slice(0, MAX_IDS).map(({ id }) => id),
    minted: registered.map(({ serial, mac, endpointId, secret }) => ({ serial, mac, endpointId, secret })),
  };
  if (success === 0) throw new DomainError('csv.all_failed', { reason: failures[0]!.error, detail: result });
  return result;
}

async function readRows(path: string, options: ReadOptions): Promise<{ good: GoodRow[]; bad: Failure[]; summary: FileSummary }> {
  const good: GoodRow[] = [];
  const bad: Failure[] = [];
  const seen: Seen = { serial: new Map(), mac: new Map(), endpointId: new Map() };
  const { summary, rows } = await openTable(path, routerShape, options);
  for await (const { row, cells, fault: unreadable } of rows) {
    const mac = normalizeMac(cells.mac);
    const fault = unreadable ?? faultOf(cells, mac);
    const router = fault === undefined && mac !== undefined ? routerOf(cells, mac) : undefined;
    const error = router === undefined ? fault : twiceIn(seen, names(router));
    if (error !== undefined || router === undefined)
      bad.push({ row, serial: cells.serial.slice(0, 100), mac: cells.mac.slice(0, 40), error: error ?? '' });
    else good.push({ row, router });
  }
  return { good, bad, summary };
}

interface Cells {
  readonly serial: string;
  readonly model?: string;
  readonly endpointId?: string;
}

const rules = calls.addRouter.body.shape;

function faultOf({ serial, model, endpointId = '' }: Cells, mac: string | undefined): string | undefined {
  if (!rules.serial_number.safeParse(serial).success) return 'Incorrect serial number';
  if (mac === undefined) return 'Incorrect MAC address';
  if (!rules.model.safeParse(model).success) return 'Incorrect model';
  if (endpointId !== '' && !isEndpointId(endpointId)) return 'Incorrect endpoint ID';
  return undefined;
}

function routerOf({ serial, model = '', endpointId = '' }: Cells, mac: string): RouterToRegister {
  return { serial, mac, model, ...(endpointId === '' ? {} : { endpointId }) };
}

/** The names of earlier rows, as they are compared, each as it is written there. */
type Seen = Readonly<Record<keyof RouterNames, Map<string, string>>>;

const TWICE: Readonly<Record<keyof RouterNames, string>> = {
  serial: 'This serial number is in the file twice.',
  mac: 'This MAC address is in the file twice.',
  endpointId: 'This endpoint ID is in the file twice.',
};

/** Serial numbers are compared without case. */
const keyOf = (router: RouterNames, column: keyof RouterNames) =>
  column === 'serial' ? router.serial.toUpperCase() : router[column];

/** Which name an earlier row of the file already has; a valid row is added. */
function twiceIn(seen: Seen, router: RouterNames): string | undefined {
  const columns = ['serial', 'mac', 'endpointId'] as const;
  const twice = columns.find((column) => seen[column].has(keyOf(router, column)));
  if (twice !== undefined) {
    const written = seen[twice].get(keyOf(router, twice))!;
    return written === router[twice] ? TWICE[twice] : `${TWICE[twice]} Before it is written ${written}.`;
  }
  for (const column of columns) seen[column].set(keyOf(router, column), router[column]);
  return undefined;
}

async function register(tx: Tx, scope: MainScope, actor: Actor, good: readonly GoodRow[], now: Date) {
  const rows = new Map(good.map((entry) => [entry.router, entry]));
  const { registered, taken } = await registerRouters(
    tx,
    scope,
    actor,
    good.map(({ router }) => router),
    now,
  );
  const failures = taken.map(({ router, by }) => failure(rows.get(router)!, by));
  return { registered, taken: failures };
}

async function findTaken(queries: Queries, scope: MainScope, good: readonly GoodRow[]): Promise<Failure[]> {
  const entries = good.map((entry) => ({ ...names(entry.router), entry }));
  const collisions = await findCollisions(queries, scope, entries);
  return [...collisions].map(([{ entry }, by]) => failure(entry, by));
}

function failure({ row, router }: GoodRow, by: Collision): Failure {
  return { row, serial: router.serial, mac: router.mac, error: TAKEN[by] };
}

/** What a row sets: its router is new. */
function changeOf({ row, router: { serial, mac, model = '', endpointId = '' } }: GoodRow) {
  return { row, serial, changes: setFields({ serial, mac, model, endpoint: endpointId }) };
}
