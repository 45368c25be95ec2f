import { readFaults } from '@highline/contract';
import type { TFunction } from 'i18next';

/** A message about settings that are not in force, in the user's language; what a router said stays as it is. */
export function faultText(t: TFunction, message: string): string {
  return readFaults(message)
    .map((each) => (typeof each === 'string' ? each : t(`settingFaults.${each.fault}`, { path: each.path, of: each.of })))
    .join(t('settingFaults.between'));
}
