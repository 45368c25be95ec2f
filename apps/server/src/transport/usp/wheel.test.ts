import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { TimerWheel, type Timed } from './wheel.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function timed(fire: (now: number) => void = () => undefined): Timed & { fired: number[] } {
  const fired: number[] = [];
  return {
    due: 0,
    fired,
    fire(now) {
      fired.push(now);
      fire(now);
    },
  };
}

describe('the timer wheel', () => {
  it('fires each entry at its time, never early and at most a tick late, also after more than one revolution', () => {
    const wheel = new TimerWheel(100, silentLog);
    const delays = [0, 1, 99, 100, 101, 250, 51_200, 51_300, 200_000];
    const all = delays.map(() => timed());
    vi.advanceTimersByTime(30);
    all.forEach((each, index) => wheel.schedule(each, delays[index]!));
    for (let elapsed = 0; elapsed < 210_000; elapsed += 100) vi.advanceTimersByTime(100);
    all.forEach(({ fired }, index) => {
      expect(fired).toHaveLength(1);
      expect(fired[0]! - delays[index]!).toBeGreaterThanOrEqual(0);
      expect(fired[0]! - delays[index]!).toBeLessThanOrEqual(101);
    });
    wheel.stop();
  });

  it('fires no cancelled entry, and a moved one once', () => {
    const wheel = new TimerWheel(100, silentLog);
    const [cancelled, moved] = [timed(), timed()];
    wheel.schedule(cancelled, 500);
    wheel.schedule(moved, 500);
    wheel.cancel(cancelled);
    wheel.schedule(moved, 1_000);
    vi.advanceTimersByTime(5_000);
    expect([cancelled.fired, moved.fired]).toEqual([[], [1_000]]);
    wheel.stop();
  });

  it('an entry that schedules itself again fires at every interval', () => {
    const wheel = new TimerWheel(100, silentLog);
    const each = timed(() => wheel.schedule(each, 300));
    wheel.schedule(each, 300);
    vi.advanceTimersByTime(1_500);
    expect(each.fired).toHaveLength(5);
    wheel.stop();
  });

  it('counts only time in which the process could receive', () => {
    const wheel = new TimerWheel(100, silentLog);
    const each = timed();
    wheel.schedule(each, 50_000);
    // Suspended for ten minutes: one late tick.
    vi.setSystemTime(Date.now());
    const standstill = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 600_000);
    vi.advanceTimersByTime(100);
    standstill.mockRestore();
    expect(each.fired).toEqual([]);
    expect(wheel.now).toBe(2_000);
    wheel.stop();
  });

  it('fires the others when one of them fails, and logs the error', () => {
    const logged: unknown[] = [];
    const wheel = new TimerWheel(100, { error: (fields) => void logged.push((fields as { err: unknown }).err) });
    const fault = new Error('a session failed');
    const failing = timed(() => {
      throw fault;
    });
    const [before, after] = [timed(), timed()];
    for (const each of [before, failing, after]) wheel.schedule(each, 200);
    vi.advanceTimersByTime(400);
    expect([before.fired.length, failing.fired.length, after.fired.length]).toEqual([1, 1, 1]);
    expect(logged).toEqual([fault]);
    wheel.stop();
  });
});
