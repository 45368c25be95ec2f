import { entryOf, mayBeSaved, settingProfiles, type SettingsCatalogue } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { LevelContent } from './effective-setting.ts';
import { toShownValues } from './settings.dto.ts';
import { findSaved } from './settings.queries.ts';
import {
  hasTooManyEntries,
  readCatalogue,
  readLevel,
  requireLevel,
  saveLevel,
  type NamedLevel,
  type SettingsDeps,
} from './settings.service.ts';

type Profile = settingProfiles.SettingsProfile;
type Problem = settingProfiles.ProfileReport['problems'][number];
type Checked = Pick<settingProfiles.ProfileReport, 'problems' | 'changes' | 'values'>;

/** What a level sets, as a profile. @throws DomainError as `readLevel` */
export async function exportProfile(deps: SettingsDeps, scope: OrganizationScope, named: NamedLevel): Promise<Profile> {
  const { name, values } = await readLevel(deps, scope, named);
  return { format: settingProfiles.PROFILE_FORMAT, version: 1, name, values };
}

/**
 * Check a profile against a level, and save it unless it is a dry run or a row is wrong.
 * @throws DomainError as `saveLevel`
 */
export async function importProfile(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  { profile, isDryRun, ...named }: NamedLevel & { readonly profile: Profile; readonly isDryRun: boolean },
  isCurrent: (version: number) => boolean,
): Promise<settingProfiles.ProfileReport> {
  const { read } = deps.database;
  const saved = await findSaved(read, scope, await requireLevel(read, scope, named));
  const checked = checkProfile(await readCatalogue(read, scope), saved?.content ?? {}, profile);
  const isSaved = !isDryRun && checked.problems.length === 0;
  // What was checked is what is saved: a version that came since is another one.
  const version = saved?.version ?? 0;
  if (isSaved)
    await saveLevel(deps, scope, actor, { ...named, values: checked.values }, (now) => now === version && isCurrent(now));
  return { dryRun: isDryRun, saved: isSaved, ...checked };
}

/** What a profile would set on a level, the difference, and every row that is wrong. Pure. */
export function checkProfile(catalogue: SettingsCatalogue, content: LevelContent, { values }: Profile): Checked {
  const problems: Problem[] = [];
  const good = new Map<string, string | null>();
  for (const [at, { path, value }] of values.entries()) {
    const kind = good.has(path) ? 'twice' : faultOf(catalogue, content, path, value);
    if (kind === undefined) good.set(path, value);
    else problems.push({ row: at + 1, path, kind });
  }
  const entries = [...good.keys()].flatMap((path) => entryOf(path) ?? []);
  if (hasTooManyEntries(entries)) problems.push({ row: values.length, path: '', kind: 'entries' });
  const sorted = catalogue.inOrder(good.keys());
  return {
    problems,
    values: sorted.map((path) => ({ path, value: good.get(path)! })),
    changes: changesBetween(catalogue, content, good),
  };
}

function faultOf(
  catalogue: SettingsCatalogue,
  content: LevelContent,
  path: string,
  value: string | null,
): Exclude<settingProfiles.ProfileFault, 'twice' | 'entries'> | undefined {
  const setting = catalogue.find(path);
  if (setting === undefined) return 'unknown';
  if (value !== null) return mayBeSaved(setting, value) ? undefined : 'value';
  if (setting.isSecret !== true) return 'value';
  return Object.hasOwn(content, path) ? undefined : 'secret';
}

function changesBetween(
  catalogue: SettingsCatalogue,
  content: LevelContent,
  after: ReadonlyMap<string, string | null>,
): Checked['changes'] {
  const before = new Map(toShownValues(catalogue, content).map(({ path, value }) => [path, value]));
  const paths = catalogue.inOrder(new Set([...before.keys(), ...after.keys()]));
  return paths.flatMap((path) => {
    const isSecret = catalogue.find(path)?.isSecret === true;
    const isKept = before.has(path) && after.has(path) && before.get(path) === after.get(path);
    const shown = (values: ReadonlyMap<string, string | null>) => (isSecret ? null : (values.get(path) ?? null));
    return isKept ? [] : [{ path, before: shown(before), after: shown(after), isSecret }];
  });
}
