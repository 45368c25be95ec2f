import type { EuiccProfile } from '../platform/euicc.ts';
import { PRELOADED, PROFILES, SETTINGS } from '../state/esims.ts';
import type { RouterState } from '../state/state.ts';

/** ICCIDs in trial order: by priority, then in order of installation. */
export function byPriority(profiles: readonly EuiccProfile[], { rows }: RouterState): string[] {
  const priorities = new Map(
    Object.entries(rows).flatMap(([path, row]) =>
      path.startsWith(PROFILES) ? [[row['ICCID'] ?? PRELOADED, Number(row[SETTINGS.priority] ?? 1)] as const] : [],
    ),
  );
  const priorityOf = ({ iccid, isPreloaded }: EuiccProfile) => priorities.get(isPreloaded ? PRELOADED : iccid) ?? 1;
  return profiles.toSorted((a, b) => priorityOf(a) - priorityOf(b)).map(({ iccid }) => iccid);
}
