import { settingsSchema, type routerSettings } from '@highline/contract';
import { levelsOf, type DesiredRow } from './settings.rows.ts';
import { resolveSettings, variablesOf, type EffectiveSetting, type Level, type LevelContent } from './resolve.ts';

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
  const changes = new Map<string, Preview['changes'][number]>();
  const problems = new Map<string, Preview['problems'][number]>();
  let devices = 0;
  let changing = 0;
  return {
    add(row) {
      devices++;
      const variables = variablesOf(row);
      const levels = levelsOf(row);
      const before = byPath(resolveSettings(levels, variables));
      const after = byPath(resolveSettings(withDraft(levels, level, draft), variables));
      let isChanging = false;
      for (const setting of settingsSchema) {
        const [was, is] = [before.get(setting.path), after.get(setting.path)];
        if (is?.fault !== undefined) addProblem(problems, is, row.serial);
        if (idOf(was) === idOf(is) || is?.fault !== undefined) continue;
        isChanging = true;
        const key = JSON.stringify([setting.path, idOf(was), idOf(is)]);
        const known = changes.get(key);
        if (known !== undefined) known.devices++;
        else
          changes.set(key, {
            path: setting.path,
            before: was?.text ?? null,
            after: is?.text ?? null,
            isSecret: setting.isSecret === true,
            devices: 1,
            canCut: setting.canCut === true,
          });
      }
      if (isChanging) changing++;
    },
    total: () => ({
      devices,
      changing,
      changes: [...changes.values()].sort((a, b) => b.devices - a.devices).slice(0, MOST_CHANGES),
      problems: [...problems.values()].slice(0, MOST_CHANGES),
    }),
  };
}

const byPath = (settings: readonly EffectiveSetting[]) => new Map(settings.map((each) => [each.setting.path, each]));

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

function withDraft(levels: readonly Level[], level: routerSettings.SettingLevel, content: LevelContent): readonly Level[] {
  const order: readonly routerSettings.SettingLevel[] = ['organization', 'group', 'device'];
  const others = levels.filter((each) => each.level !== level);
  return [...others, { level, content }].toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}
