import { settingProfiles } from '@highline/contract';
import { call } from '../../api/client.ts';
import { fileText } from '../../api/file-text.ts';
import type { LevelName } from './settings.api.ts';

export type SettingsProfile = settingProfiles.SettingsProfile;
export type ProfileReport = settingProfiles.ProfileReport;

const named = ({ group, device }: LevelName) => ({
  ...(group === undefined ? {} : { group }),
  ...(device === undefined ? {} : { device }),
});

/** What a level sets, as a profile. */
export async function fetchProfile(level: LevelName): Promise<SettingsProfile> {
  return (await call(settingProfiles.exportProfile, { query: named(level) })).result;
}

/** What the router of a device runs now. */
export async function fetchRunning(device: string): Promise<SettingsProfile> {
  return (await call(settingProfiles.readRunning, { query: { device } })).result;
}

/** What a profile would change on a level; nothing is saved. @param profile what a file contains, checked by the server */
export async function checkProfile(level: LevelName, profile: SettingsProfile): Promise<ProfileReport> {
  const input = { query: { dryRun: '1' }, body: { ...named(level), profile } };
  return (await call(settingProfiles.importProfile, input)).result;
}

/** A profile as a file. */
export function profileFile(profile: SettingsProfile): Blob {
  return new Blob([`${JSON.stringify(profile, null, 2)}\n`], { type: 'application/json' });
}

/** What a file contains; undefined when it is no JSON. */
export async function readProfileFile(file: File): Promise<SettingsProfile | undefined> {
  try {
    return JSON.parse(await fileText(file)) as SettingsProfile;
  } catch {
    return undefined;
  }
}
