import { returnsByItself, type routerSettings, type Setting } from '@highline/contract';
import { createRowResolver, levelsOf, settingsOf, type DesiredRow } from './settings.rows.ts';
import type { EffectiveSetting, Level, LevelContent } from './effective-setting.ts';

type Preview = routerSettings.SettingsPreview;

/** Changes that are shown; more are counted only. */
const MOST_CHANGES = 200;
const SERIALS = 5;

/** Adds up what a draft changes, device by device (TPL-03). */
export interface PreviewSum {
  add(row: DesiredRow): void;
  total(): Preview;
}

/** @param level that the draft would replace */
export function createPreview(level: routerSettings.SettingLevel, draft: LevelContent): PreviewSum {
  const resolveWithDraft = createRowResolver((row) => withDraft(levelsOf(row), level, draft));
  const changes = new Map<string, Preview['changes'][number]>();
  const problems = new Map<string, Preview['problems'][number]>();
  const withoutReturn: { devices: number; serials: string[] } = { devices: 0, serials: [] };
  let devices = 0;
  let changing = 0;
  return {
    add(row) {
      devices++;
      const before = byPath(settingsOf(row));
      const after = byPath(resolveWithDraft(row));
      let isChanging = false;
      let isCutting = false;
      for (const setting of settingsOfBoth(before, after)) {
        const [was, is] = [before.get(setting.path), after.get(setting.path)];
        if (is?.fault !== undefined) addProblem(problems, is, row.serial);
        if (idOf(was) === idOf(is) || is?.fault !== undefined) continue;
        isChanging = true;
        isCutting ||= setting.canCut === true;
        const key = JSON.stringify([setting.path, idOf(was), idOf(is)]);
        const known = changes.get(key);
        if (known !== undefined) known.devices++;
        else
          changes.set(key, {
            path: setting.path,
            before: setting.isSecret === true ? null : (was?.text ?? null),
            after: setting.isSecret === true ? null : (is?.text ?? null),
            isSecret: setting.isSecret === true,
            devices: 1,
            canCut: setting.canCut === true,
          });
      }
      if (isChanging) changing++;
      if (!isCutting || returnsByItself(row.model)) return;
      withoutReturn.devices++;
      if (withoutReturn.serials.length < MOST_CHANGES) withoutReturn.serials.push(row.serial);
    },
    total: () => ({
      devices,
      changing,
      changes: [...changes.values()].sort((a, b) => b.devices - a.devices).slice(0, MOST_CHANGES),
      withoutReturn,
      problems: [...problems.values()].slice(0, MOST_CHANGES),
    }),
  };
}

type ByPath = ReadonlyMap<string, EffectiveSetting>;
const byPath = (settings: readonly EffectiveSetting[]) => new Map(settings.map((each) => [each.setting.path, each] as const));

/** Each parameter once; those that the draft leaves out come last. */
function settingsOfBoth(before: ByPath, after: ByPath): readonly Setting[] {
  return [...new Map([...after, ...before].map(([path, { setting }]) => [path, setting])).values()];
}

/** What a router would be sent; undefined = nothing. */
function idOf(effective: EffectiveSetting | undefined): string | undefined {
  if (effective === undefined || effective.fault !== undefined) return undefined;
  return 'secret' in effective.stored ? `secret ${effective.stored.secret}` : effective.text;
}

function addProblem(
  problems: Map<string, Preview['problems'][number]>,
  { setting, fault }: EffectiveSetting,
  serial: string,
): void {
  const { kind, text } = fault!;
  const key = JSON.stringify([setting.path, kind, text]);
  const known = problems.get(key) ?? { path: setting.path, kind, text, devices: 0, serials: [] };
  known.devices++;
  if (known.serials.length < SERIALS) known.serials.push(serial);
  problems.set(key, known);
}

/** The levels of a device with a draft in place of one. */
export function withDraft(levels: readonly Level[], level: routerSettings.SettingLevel, content: LevelContent): readonly Level[] {
  const order: readonly routerSettings.SettingLevel[] = ['organization', 'group', 'device'];
  const others = levels.filter((each) => each.level !== level);
  return [...others, { level, content }].toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
