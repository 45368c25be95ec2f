/** One entry of the header's time zone selector (NAV-06). */
export interface ZoneChoice {
  /** The label: the name and the standard offset, whatever the season. */
  readonly label: string;
  readonly name: string;
  readonly offset: string;
  /** The IANA zone behind it, so that summer time is right. */
  readonly zone: string;
}

function choice(name: string, offset: string, zone: string): ZoneChoice {
  return { label: `${name} ${offset}`, name, offset, zone };
}

/** The nine zones of NAV-06, in order; the browser's own location is offered as well. */
export const zoneChoices: readonly ZoneChoice[] = [
  choice('Eastern', '-5', 'America/New_York'),
  choice('Central', '-6', 'America/Chicago'),
  choice('Mountain', '-7', 'America/Denver'),
  choice('Pacific', '-8', 'America/Los_Angeles'),
  choice('Alaska', '-9', 'America/Anchorage'),
  choice('Hawaii-Aleutian', '-10', 'Pacific/Honolulu'),
  choice('Atlantic', '-4', 'America/Puerto_Rico'),
  choice('Samoa', '-11', 'Pacific/Pago_Pago'),
  choice('Chamorro', '+10', 'Pacific/Guam'),
];

/**
 * A browser reads the formats of all languages at the first use of Intl: a twentieth of a second of a slow processor, before the first screen.
 * Temporal needs none; older browsers have only Intl.
 */
const temporal: typeof Temporal | undefined = globalThis.Temporal;

/** The zone of the browser; UTC if it is unknown. */
export function browserZone(): string {
  return (temporal === undefined ? new Intl.DateTimeFormat().resolvedOptions().timeZone : temporal.Now.timeZoneId()) || 'UTC';
}

const wallClocks = new Map<string, Intl.DateTimeFormat>();

function wallClock(zone: string): Intl.DateTimeFormat {
  const known = wallClocks.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'short',
  });
  wallClocks.set(zone, made);
  return made;
}

/** The parts of an instant as a clock on the wall of `zone` shows them, two digits each (the year four). */
export interface WallTime {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
}

/** The wall clock of `zone` at `instant`. */
export function wallTime(instant: Date, zone: string): WallTime {
  return temporal === undefined ? formattedTime(instant, zone) : zonedTime(temporal, instant, zone);
}

const two = (value: number) => String(value).padStart(2, '0');

function zonedTime({ Instant }: typeof Temporal, instant: Date, zone: string): WallTime {
  const zoned = Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone);
  return {
    year: String(zoned.year),
    month: two(zoned.month),
    day: two(zoned.day),
    hour: two(zoned.hour),
    minute: two(zoned.minute),
    second: two(zoned.second),
  };
}

function formattedTime(instant: Date, zone: string): WallTime {
  const parts = new Map(
    wallClock(zone)
      .formatToParts(instant)
      .map((part) => [part.type as string, part.value]),
  );
  const part = (name: string) => parts.get(name) ?? '';
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}

/** Hours `zone` is ahead of UTC at `instant`, with fractions (India: 5.5). */
export function offsetHours(zone: string, instant: Date): number {
  const wall = wallTime(instant, zone);
  const asUtc = Date.UTC(+wall.year, +wall.month - 1, +wall.day, +wall.hour, +wall.minute, +wall.second);
  const minutes = Math.round((asUtc - Math.floor(instant.getTime() / 1000) * 1000) / 60_000);
  return minutes / 60;
}

/**
 * The zone that a stored cookie chose (NAV-06): one of the nine. Any other name was the browser's location on another
 * day, and people travel, so it chooses nothing.
 */
export function chosenZone(cookie: string | undefined): string | undefined {
  return zoneChoices.find(({ zone }) => zone === cookie)?.zone;
}
