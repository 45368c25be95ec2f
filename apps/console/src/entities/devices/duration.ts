const units = [
  { unit: 'days', seconds: 86_400 },
  { unit: 'hours', seconds: 3_600 },
  { unit: 'minutes', seconds: 60 },
  { unit: 'seconds', seconds: 1 },
] as const;

export interface DurationPart {
  readonly unit: (typeof units)[number]['unit'];
  readonly count: number;
}

/** A duration in its largest unit and, from an hour on, the next smaller one: 47 min, 3 h 12 min, 2 d. */
export function durationParts(seconds: number): readonly DurationPart[] {
  const whole = Math.max(0, Math.floor(seconds));
  const first = Math.max(
    0,
    units.findIndex((unit) => whole >= unit.seconds),
  );
  const { unit, seconds: width } = whole === 0 ? units[3] : units[first]!;
  const part: DurationPart = { unit, count: Math.floor(whole / width) };
  const next = units[first + 1];
  if (next === undefined || width < 3_600) return [part];
  const rest = Math.floor((whole % width) / next.seconds);
  return rest === 0 ? [part] : [part, { unit: next.unit, count: rest }];
}
