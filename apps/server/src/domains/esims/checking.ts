import type { esims } from '@highline/contract';
import { DomainError, type Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import type { Database } from '../../platform/ports/database.ts';
import { storedSerials } from '../inventory/index.ts';
import { readCards } from './esims.queries.ts';
import { findRoutersBySerial } from './profile-routers.store.ts';
import { validateEid } from './validate-profile.ts';
import { freePriority } from './slots.ts';
import { toPlaceholderDto, toProfileDto, type CodeReader } from './profile.dto.ts';

/** The cards of one router, and the known facts about the router. */
export interface CheckedRouter {
  readonly cards: esims.Profile[];
  readonly router: esims.ProfileRouter;
}

/**
 * The cards of one router (SIM-06), highest priority first; the preloaded profile has its card even before it is set up.
 * @throws DomainError `esim.serial_unknown`, `esim.eid_mismatch`, `esim.eid_invalid`, `esim.no_euicc` if there is nothing to show
 */
export async function checkRouter(
  { database, reader }: { readonly database: Database; readonly reader: Reader },
  scope: Scope,
  { serial = '', eid = '' }: { readonly serial?: string | undefined; readonly eid?: string | undefined },
  codes: CodeReader,
): Promise<CheckedRouter> {
  const typed = serial.trim();
  const stored = (await storedSerials(database.read, scope, [typed])).get(typed) ?? typed;
  const router = (await findRoutersBySerial(database.read, scope, [stored])).get(stored);
  if (router === undefined) throw new DomainError('esim.serial_unknown', { field: 'serial' });
  const rows = await readCards(reader, scope, router.deviceId);
  if (router.hasEuicc === false && rows.length === 0) throw new DomainError('esim.no_euicc', { field: 'serial' });
  const known = router.reportedEid ?? rows.find((row) => row.eid !== '')?.eid ?? null;
  // The page of profiles whose router has not reported its EID yet has none to send, also once it is reported.
  const validated = eid.trim() === '' && rows.length > 0 ? (known ?? '') : validateEid(eid, { eid: known });
  if (typeof validated !== 'string') throw new DomainError(validated.fault, { field: validated.field });
  const cards = rows.map((row) => toProfileDto(row, codes));
  const facts = { vehicle: router.vehicle, hasEuicc: router.hasEuicc ?? null };
  if (rows.some((row) => row.is_preloaded)) return { cards, router: facts };
  const own = router.reported?.profiles.find(({ preloaded }) => preloaded);
  const placeholder = {
    ...toPlaceholderDto({ device_id: router.deviceId, serial: router.serial, eid: validated }, freePriority(rows)),
    carrier: own?.carrier ?? '',
    act: own?.active === true,
  };
  return { cards: [...cards, placeholder].sort((a, b) => a.priority - b.priority), router: facts };
}
