import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualScheduler, createScheduler } from './scheduler.ts';

describe('the scheduler', () => {
  it('runs due tasks in order of time, and of insertion when times are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (delays) => {
        const scheduler = createManualScheduler(0);
        const ran: [number, number][] = [];
        delays.forEach((delay, order) => scheduler.after(delay, () => ran.push([scheduler.now(), order])));
        scheduler.advance(100);
        const expected = delays
          .map((delay, order) => [delay, order] as [number, number])
          .sort(([a, i], [b, j]) => a - b || i - j);
        expect(ran).toEqual(expected);
      }),
    );
  });

  it('does not run cancelled tasks, nor later ones', () => {
    const scheduler = createManualScheduler();
    const ran: string[] = [];
    scheduler.after(10, () => ran.push('cancelled'))();
    scheduler.after(10, () => ran.push('due'));
    scheduler.after(11, () => ran.push('later'));
    scheduler.advance(10);
    expect(ran).toEqual(['due']);
  });

  it('runs tasks that are scheduled within the same interval by another task', () => {
    const scheduler = createManualScheduler();
    let beats = 0;
    const tick = () => {
      beats++;
      scheduler.after(10, tick);
    };
    tick();
    scheduler.advance(35);
    expect(beats).toBe(4);
  });

  it('in real time: an earlier task added later runs first, and closing cancels the rest', async () => {
    const scheduler = createScheduler();
    const ran: string[] = [];
    scheduler.after(60_000, () => ran.push('never'));
    scheduler.after(15, () => ran.push('second'));
    await new Promise<void>((resolve) => {
      scheduler.after(1, () => ran.push('first'));
      scheduler.after(20, resolve);
    });
    scheduler.close();
    expect(ran).toEqual(['first', 'second']);
  });
});
