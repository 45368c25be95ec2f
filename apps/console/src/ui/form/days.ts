// Days without a time, as ISO text (`2026-11-21`). They are counted in UTC, so that no zone shifts them.

const DAY_MS = 86_400_000;
const isoOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The month of a day: `2026-11`. */
export const monthOf = (iso: string): string => iso.slice(0, 7);

/** The weeks of a month, from Sunday on; places before its first and after its last day are undefined. */
export function weeksOf(month: string): (string | undefined)[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const before = new Date(first).getUTCDay();
  const days = lengthOfMonth(month);
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const day = week * 7 + weekday - before;
      return day >= 0 && day < days ? isoOf(first + day * DAY_MS) : undefined;
    }),
  );
}

/** The day that a key leads to from another one; undefined for a key that leads nowhere. A month later is its last day at most. */
export function moveDay(iso: string, key: string): string | undefined {
  const time = Date.parse(`${iso}T00:00:00Z`);
  const weekday = new Date(time).getUTCDay();
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
    Home: -weekday,
    End: 6 - weekday,
  };
  if (key === 'PageUp') return monthLater(iso, -1);
  if (key === 'PageDown') return monthLater(iso, 1);
  const step = steps[key];
  return step === undefined ? undefined : isoOf(time + step * DAY_MS);
}

function monthLater(iso: string, months: number): string {
  const [year = 0, month = 0, day = 0] = iso.split('-').map(Number);
  const target = isoOf(Date.UTC(year, month - 1 + months, 1)).slice(0, 7);
  return `${target}-${String(Math.min(day, lengthOfMonth(target))).padStart(2, '0')}`;
}

function lengthOfMonth(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}
