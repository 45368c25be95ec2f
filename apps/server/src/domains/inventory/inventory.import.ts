import { inventory as calls } from '@highline/contract';
import { normalizeMac } from '@highline/usp';
import type { z } from 'zod';
import { readCsv, type CsvShape } from '../../csv/index.ts';
import { DomainError } from '../../failure.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Database, Tx } from '../../ports/database.ts';
import type { Actor, MainScope } from '../../scope.ts';
import { registerRouters, type RouterToRegister } from './register-routers.ts';
import { takenMacs, takenSerials } from './inventory.store.ts';

export type RouterImport = z.input<typeof calls.importRouters.response>['result'];

const shape: CsvShape<'serial' | 'mac', 'model'> = {
  required: { serial: 'SN', mac: 'MAC' },
  optional: { model: 'Model' },
};
const MAX_FAILURES = 1_000;
const MAX_IDS = 200;
const SERIAL_TAKEN = 'This serial number is in the inventory already.';
const MAC_TAKEN = 'This MAC address is in the inventory already.';

interface Failure {
  readonly row: number;
  readonly serial: string;
  readonly mac: string;
  readonly error: string;
}

/** A row of the file that may enter. */
interface GoodRow {
  readonly row: number;
  readonly router: RouterToRegister;
}

/**
 * Enter the routers of a CSV (SN, MAC, optional Model). Good rows are kept, bad ones told by their row; the minted secrets are
 * in the answer and nowhere else. One transaction and one audit entry for the whole file.
 * @param dryRun check only, write nothing
 * @throws DomainError `csv.*`; `csv.all_failed` with the result as detail when no row was good
 */
export async function importRouters(
  deps: { readonly database: Database; readonly clock: Clock },
  scope: MainScope,
  actor: Actor,
  path: string,
  dryRun: boolean,
): Promise<RouterImport> {
  const { good, bad } = await readRows(path);
  const { registered, taken } = dryRun
    ? { registered: [], taken: await deps.database.read.transaction().execute((tx) => findTaken(tx, good)) }
    : await deps.database.write((tx) => register(tx, scope, actor, good, deps.clock.now()));
  const success = good.length - taken.length;
  const failures = [...bad, ...taken].sort((a, b) => a.row - b.row);
  const result: RouterImport = {
    dryRun,
    success,
    total: good.length + bad.length,
    failed: failures.length,
    fail: failures.slice(0, MAX_FAILURES),
    ids: registered.slice(0, MAX_IDS).map(({ id }) => id),
    minted: registered.map(({ serial, mac, secret }) => ({ serial, mac, secret })),
  };
  if (success === 0) throw new DomainError('csv.all_failed', { reason: failures[0]!.error, detail: result });
  return result;
}

async function readRows(path: string): Promise<{ good: GoodRow[]; bad: Failure[] }> {
  const good: GoodRow[] = [];
  const bad: Failure[] = [];
  const serials = new Set<string>();
  const macs = new Set<string>();
  for await (const { row, cells } of readCsv(path, shape)) {
    const mac = normalizeMac(cells.mac);
    const error = faultOf(cells, mac, serials, macs);
    if (error !== undefined || mac === undefined) {
      bad.push({ row, serial: cells.serial.slice(0, 100), mac: cells.mac.slice(0, 40), error: error ?? '' });
      continue;
    }
    serials.add(cells.serial);
    macs.add(mac);
    good.push({ row, router: { serial: cells.serial, mac, model: cells.model ?? '' } });
  }
  return { good, bad };
}

const rules = calls.addRouter.body.shape;

function faultOf(
  cells: { readonly serial: string; readonly model?: string },
  mac: string | undefined,
  serials: ReadonlySet<string>,
  macs: ReadonlySet<string>,
): string | undefined {
  const { serial, model } = cells;
  if (!rules.serial_number.safeParse(serial).success) return 'Incorrect serial number';
  if (mac === undefined) return 'Incorrect MAC address';
  if (!rules.model.safeParse(model).success) return 'Incorrect model';
  if (serials.has(serial)) return 'This serial number stands in the file twice.';
  if (macs.has(mac)) return 'This MAC address stands in the file twice.';
  return undefined;
}

async function register(tx: Tx, scope: MainScope, actor: Actor, good: readonly GoodRow[], now: Date) {
  const rows = new Map(good.map((entry) => [entry.router, entry.row]));
  const { registered, taken } = await registerRouters(
    tx,
    scope,
    actor,
    good.map(({ router }) => router),
    now,
  );
  const failures = taken.map(({ router, by }) => failure(rows.get(router)!, router, by));
  return { registered, taken: failures };
}

async function findTaken(tx: Tx, good: readonly GoodRow[]): Promise<Failure[]> {
  const serials = await takenSerials(
    tx,
    good.map(({ router }) => router.serial),
  );
  const macs = await takenMacs(
    tx,
    good.map(({ router }) => router.mac),
  );
  return good
    .filter(({ router }) => serials.has(router.serial) || macs.has(router.mac))
    .map(({ row, router }) => failure(row, router, serials.has(router.serial) ? 'serial' : 'mac'));
}

function failure(row: number, router: RouterToRegister, by: 'serial' | 'mac'): Failure {
  return { row, serial: router.serial, mac: router.mac, error: by === 'serial' ? SERIAL_TAKEN : MAC_TAKEN };
}
