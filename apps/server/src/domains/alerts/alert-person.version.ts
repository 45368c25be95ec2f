import { contentVersion } from '../../kernel/content-version.ts';
import type { StoredPerson } from './alert-people.store.ts';

/** The version of the entry of an address: equal for equal content, in any order. @param stored undefined = it has none */
export function versionOfPerson(stored: Pick<StoredPerson, 'severities' | 'hours' | 'channels'> | undefined): string {
  if (stored === undefined) return 'none';
  const { severities, hours, channels } = stored;
  const often = hours && [hours.days.toSorted((one, other) => one - other), hours.from, hours.until, hours.zone];
  return contentVersion([severities.toSorted(), often, channels.toSorted()]);
}
