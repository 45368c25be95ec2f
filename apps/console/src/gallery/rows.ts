import type { Selection } from '../ui/list/useSelection.ts';
import type { Tone } from '../ui/StatusDot.tsx';
import { ignore, OPENED_AT, useSay } from './parts.tsx';

/** A row of the example tables. */
export interface Vehicle {
  readonly id: string;
  readonly name: string;
  readonly tone: Tone;
  readonly status: string;
  readonly group: string;
  readonly signal: number | null;
  readonly lastSeen: Date | null;
}

/** The age of each row's last contact, in seconds. */
const ages = [12, 95, 3700, 90_000, null] as const;
const tones = ['ok', 'warn', 'bad', 'idle', 'unknown'] as const;

/** Five rows whose states differ. */
export function useRows(): readonly Vehicle[] {
  const say = useSay();
  const statuses = [
    say('Online', '上線'),
    say('Weak signal', '訊號弱'),
    say('Failed', '失敗'),
    say('Offline', '離線'),
    say('Never connected', '從未連線'),
  ];
  return tones.map((tone, index) => {
    const age = ages[index] ?? null;
    return {
      id: `HL520041${index}`,
      name: say(`Bus ${120 + index}`, `公車 ${120 + index}`),
      tone,
      status: statuses[index] ?? '',
      group:
        index === 3 ? say('Night service of the northern harbour depot', '北港機廠夜間班次群組') : say('North depot', '北區機廠'),
      signal: age === null ? null : -61 - 9 * index,
      lastSeen: age === null ? null : new Date(OPENED_AT - age * 1000),
    };
  });
}

/** A selection in delete mode that stays as it is; the last row cannot be picked. */
export function selectionOf(rows: readonly Vehicle[], active = true, reason = ''): Selection<Vehicle> {
  return {
    active,
    selected: new Map(rows.map((row) => [row.id, row])),
    choice: undefined,
    enter: ignore,
    leave: ignore,
    toggle: ignore,
    setMany: ignore,
    reason: (row) => (reason !== '' && row.tone === 'unknown' ? reason : undefined),
    blocked: undefined,
    nameOf: ({ name }) => name,
    rowId: (row) => row.id,
  };
}
