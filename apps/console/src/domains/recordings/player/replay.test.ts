import { expect, test } from 'vitest';
import { parseCast } from './cast.ts';
import { createReplay } from './replay.ts';

const lines = (...events: unknown[]) =>
  [{ version: 2, width: 90, height: 20 }, ...events].map((each) => JSON.stringify(each)).join('\n');

/** What a screen shows: its size and all that was written since it was cleared. */
function startReplay(text: string) {
  let shown = '';
  let size = '';
  const replay = createReplay(parseCast(text), {
    write: (more) => void (shown += more),
    resize: (cols, rows) => void (size = `${cols}x${rows}`),
    reset: () => void (shown = ''),
  });
  return { replay, state: () => ({ at: replay.at, shown, size }) };
}

const recorded = lines(
  [0, 'o', 'router# '],
  [1, 'o', 'st'],
  [1.5, 'r', '120x40'],
  [1.5, 'o', 'atus'],
  [31.5, 'o', ' ok'],
  [32, 'm', 'exited'],
);

test('LIV-07-partial a replay shows a recording as it was at any moment, forwards and backwards', () => {
  const { replay, state } = startReplay(recorded);
  expect(state()).toEqual({ at: 0, shown: 'router# ', size: '90x20' });
  replay.advance(1.2, false);
  expect(state()).toEqual({ at: 1.2, shown: 'router# st', size: '90x20' });
  replay.seek(40);
  expect(state()).toEqual({ at: 32, shown: 'router# status ok', size: '120x40' });
  expect(replay.isOver).toBe(true);
  replay.seek(1);
  expect(state()).toEqual({ at: 1, shown: 'router# st', size: '90x20' });
  replay.seek(-5);
  expect(state()).toEqual({ at: 0, shown: 'router# ', size: '90x20' });
});

test('LIV-07-partial of a skipped pause two seconds are left, and nothing of what was shown is skipped', () => {
  const { replay, state } = startReplay(recorded);
  replay.seek(1.5);
  replay.advance(0.05, true);
  expect(state()).toMatchObject({ at: 29.5, shown: 'router# status' });
  replay.advance(2, true);
  expect(state()).toMatchObject({ at: 31.5, shown: 'router# status ok' });
});

test('LIV-07-partial a file that was cut, or has other lines, plays as far as it goes', () => {
  expect(parseCast('')).toEqual({ cols: 80, rows: 24, events: [], length: 0 });
  expect(parseCast(`${lines([0, 'o', 'a'], [1, 'i', 'typed'], 7, null, [2, 'o', 'b'])}\n[3,"o","c`)).toMatchObject({
    events: [
      { at: 0, kind: 'o', text: 'a' },
      { at: 2, kind: 'o', text: 'b' },
    ],
    length: 2,
  });
  const { state, replay } = startReplay(
    '{"width":1e9,"height":"x"}\n[1,"r","0x5"]\n[1,"r","hello"]\n[1,"r","99999x9"]\n[2,"o","x"]',
  );
  replay.seek(2);
  expect(state()).toEqual({ at: 2, shown: 'x', size: '1000x24' });
});
