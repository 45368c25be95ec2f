import type { esims } from '@highline/contract';
import { DomainError } from '../../failure.ts';
import type { Reader } from '../../listing/index.ts';
import type { Database } from '../../ports/database.ts';
import type { Scope } from '../../scope.ts';
import { readCards } from './esims.queries.ts';
import { findRoutersBySerial } from './esims.store.ts';
import { judgeEid } from './judge.ts';
import { freePriority } from './places.ts';
import { placeholderWire, profileWire, type CodeReader } from './profile.wire.ts';

/**
 * The cards of one router (SIM-06), the first to be tried first; the preloaded profile has its card also while nobody set it up.
 * @throws DomainError `esim.serial_unknown`, `esim.eid_mismatch`, `esim.eid_invalid`
 */
export async function checkRouter(
  { database, reader }: { readonly database: Database; readonly reader: Reader },
  scope: Scope,
  { serial = '', eid = '' }: { readonly serial?: string | undefined; readonly eid?: string | undefined },
  codes: CodeReader,
): Promise<esims.Profile[]> {
  const router = (await findRoutersBySerial(database.read, scope, [serial.trim()])).get(serial.trim());
  if (router === undefined) throw new DomainError('esim.serial_unknown', { field: 'serial' });
  const rows = await readCards(reader, scope, router.deviceId);
  const known = router.toldEid ?? rows.find((row) => row.eid !== '')?.eid ?? null;
  const judged = judgeEid(eid, { eid: known });
  if (typeof judged !== 'string') throw new DomainError(judged.fault, { field: judged.field });
  const cards = rows.map((row) => profileWire(row, codes));
  if (rows.some((row) => row.is_preloaded)) return cards;
  const placeholder = placeholderWire({ device_id: router.deviceId, serial: router.serial, eid: judged }, freePriority(rows));
  return [...cards, placeholder].sort((a, b) => a.priority - b.priority);
}
