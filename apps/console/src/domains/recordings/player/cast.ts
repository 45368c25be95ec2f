/** What happened in a terminal: output, another size, or a note. */
export interface CastEvent {
  /** Seconds since the begin. */
  readonly at: number;
  readonly kind: 'o' | 'r' | 'm';
  readonly text: string;
}

/** A recorded terminal. */
export interface Cast {
  readonly cols: number;
  readonly rows: number;
  readonly events: readonly CastEvent[];
  /** Seconds. */
  readonly length: number;
}

const kinds = new Set<unknown>(['o', 'r', 'm']);

/** Read an asciicast file (version 2). Lines that are none, such as the last one of a file that was cut, are left out. */
export function parseCast(text: string): Cast {
  const lines = text.split('\n');
  const header = parseLine(lines[0] ?? '') as { readonly width?: unknown; readonly height?: unknown } | undefined;
  const events = lines.slice(1).flatMap((line): CastEvent[] => {
    const event = parseLine(line);
    if (!Array.isArray(event)) return [];
    const [at, kind, shown] = event as unknown[];
    return typeof at === 'number' && kinds.has(kind) && typeof shown === 'string'
      ? [{ at, kind: kind as CastEvent['kind'], text: shown }]
      : [];
  });
  return { cols: sizeOr(header?.width, 80), rows: sizeOr(header?.height, 24), events, length: events.at(-1)?.at ?? 0 };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const LARGEST = 1_000;
const sizeOr = (value: unknown, usual: number) =>
  Number.isInteger(value) && Number(value) > 0 ? Math.min(Number(value), LARGEST) : usual;

/** The size in an event, `100x30`; undefined when it is none. */
export function sizeOf(text: string): { readonly cols: number; readonly rows: number } | undefined {
  const [cols, rows] = text.split('x').map(Number);
  return cols !== undefined && rows !== undefined && cols > 0 && rows > 0 && cols <= LARGEST && rows <= LARGEST
    ? { cols: Math.floor(cols), rows: Math.floor(rows) }
    : undefined;
}
