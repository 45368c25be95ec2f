import { sizeOf, type Cast } from './cast.ts';

/** What a replay draws on. */
export interface ReplayScreen {
  write(text: string): void;
  resize(cols: number, rows: number): void;
  reset(): void;
}

/** A recording at some moment. Times are seconds since its begin. */
export interface Replay {
  readonly at: number;
  readonly isOver: boolean;
  /** Show the recording as it was then. */
  seek(at: number): void;
  /** Go on by this much. @param skips whether pauses of more than two seconds are skipped */
  advance(seconds: number, skips: boolean): void;
}

/** Of a skipped pause, this much is left. */
const PAUSE = 2;

export function createReplay({ cols, rows, events, length }: Cast, screen: ReplayScreen): Replay {
  let at = 0;
  let next = 0;

  const begin = (): void => {
    screen.reset();
    screen.resize(cols, rows);
    at = 0;
    next = 0;
  };
  const show = (until: number): void => {
    at = Math.min(Math.max(0, until), length);
    // Together: a screen takes one long text faster than ten thousand short ones.
    let output = '';
    for (let event = events[next]; event !== undefined && event.at <= at; event = events[++next]) {
      if (event.kind === 'o') output += event.text;
      const size = event.kind === 'r' ? sizeOf(event.text) : undefined;
      if (size === undefined) continue;
      screen.write(output);
      output = '';
      screen.resize(size.cols, size.rows);
    }
    if (output !== '') screen.write(output);
  };
  begin();
  show(0);

  return {
    get at() {
      return at;
    },
    get isOver() {
      return at >= length;
    },
    seek(to) {
      if (to < at) begin();
      show(to);
    },
    advance(seconds, skips) {
      const upcoming = events[next]?.at ?? length;
      show(skips && upcoming - at > PAUSE ? upcoming - PAUSE : at + seconds);
    },
  };
}
