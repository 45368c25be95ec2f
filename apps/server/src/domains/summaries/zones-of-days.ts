import type { Scope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { readDayZones } from '../usage/index.ts';
import type { AnyKind } from './kind.ts';

/** Whether it has the days of each organization of a main account, which may be of several zones. */
export const hasDaysOfEach = ({ days }: AnyKind, scope: Scope): boolean => days === 'organization' && scope.kind === 'main';

/** The zones whose days a summary is about, whatever that of its reader; none = it is about the reader's days. */
export async function readZonesOfDays(reader: Reader, { days }: AnyKind, scope: Scope, now: Date): Promise<readonly string[]> {
  if (days === 'organization') return readDayZones(reader, scope, now);
  return days === 'UTC' ? ['UTC'] : [];
}
