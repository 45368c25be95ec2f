import { describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { Clones } from './clones.ts';
import { Allowance, networkOf } from '../upgrades/index.ts';
import type { AgentLink } from './mtp.ts';
import { Pace } from './pace.ts';
import { SeenNotifications } from './seen-notifications.ts';
import { TimerWheel } from './wheel.ts';

describe('the rate limit of a connection', () => {
  const settings = {
    framesPerSecond: 10,
    bytesPerSecond: 1_000,
    fieldsPerSecond: 100,
    framesPerSecondAtMost: 100,
    fullSeconds: 2,
  };

  function create() {
    let now = 0;
    const wheel = new TimerWheel(1_000_000, silentLog);
    vi.spyOn(wheel, 'now', 'get').mockImplementation(() => now);
    let due = 0;
    vi.spyOn(wheel, 'schedule').mockImplementation((_, milliseconds) => {
      due = now + milliseconds;
    });
    const [pause, resume, giveUp] = [vi.fn(), vi.fn(), vi.fn()];
    const pace = new Pace(settings, wheel, { pause, resume } as unknown as AgentLink, giveUp);
    const pass = (seconds: number) => {
      now += seconds * 1_000;
      if (pace.isPaused && due <= now) pace.fire();
    };
    const sendPerSecond = (frames: number, bytes = 1) => {
      for (let index = 0; index < frames; index++) pace.count(bytes);
      pass(1);
    };
    return { pace, pass, wheel, pause, resume, giveUp, sendPerSecond };
  }

  it('does not affect a sender below it', () => {
    const { wheel, pause, sendPerSecond } = create();
    for (let second = 0; second < 50; second++) sendPerSecond(10);
    expect(pause).not.toHaveBeenCalled();
    wheel.stop();
  });

  it('stops reading within a full second, by frames or by bytes, and resumes in the next', () => {
    const { wheel, pause, resume, giveUp, sendPerSecond } = create();
    sendPerSecond(11);
    sendPerSecond(1);
    sendPerSecond(2, 600);
    expect([pause.mock.calls.length, resume.mock.calls.length, giveUp.mock.calls.length]).toEqual([2, 2, 0]);
    wheel.stop();
  });

  it('stops reading for the seconds that the fields of a message are the share of, and does so again', () => {
    const { pace, pass, wheel, pause, resume, giveUp } = create();
    for (const already of [0, 1]) {
      pace.countFields(100);
      expect(pause).toHaveBeenCalledTimes(already);
      pace.countFields(150);
      expect(pause).toHaveBeenCalledTimes(already + 1);
      pass(2);
      expect(resume).toHaveBeenCalledTimes(already);
      pass(1);
      expect(resume).toHaveBeenCalledTimes(already + 1);
    }
    expect(giveUp).not.toHaveBeenCalled();
    wheel.stop();
  });

  it('is paused for longer when messages read before have more fields, also after it was paused for frames', () => {
    const { pace, pass, wheel, pause, resume } = create();
    for (let frame = 0; frame <= 10; frame++) pace.count(1);
    expect(pause).toHaveBeenCalledOnce();
    pace.countFields(150);
    pass(1);
    pace.count(1);
    pace.countFields(100);
    pass(1);
    expect(resume).not.toHaveBeenCalled();
    pass(1);
    expect([pause.mock.calls.length, resume.mock.calls.length]).toEqual([1, 1]);
    wheel.stop();
  });

  it('closes a sender whose messages have too many fields again and again, not one that rests between', () => {
    const { pace, pass, wheel, giveUp } = create();
    for (let message = 0; message < 5; message++) {
      pace.countFields(500);
      pass(6);
    }
    expect(giveUp).not.toHaveBeenCalled();
    for (let message = 0; message < 3; message++) {
      pace.countFields(500);
      pass(5);
    }
    expect(giveUp).toHaveBeenCalledOnce();
    wheel.stop();
  });

  it('closes after consecutive full seconds, not after bursts with rests between', () => {
    const { wheel, giveUp, sendPerSecond } = create();
    for (let burst = 0; burst < 10; burst++) [20, 20, 0, 3].forEach((frames) => sendPerSecond(frames));
    expect(giveUp).not.toHaveBeenCalled();
    for (let second = 0; second < 3; second++) sendPerSecond(20);
    expect(giveUp).toHaveBeenCalled();
    wheel.stop();
  });

  it('closes at once on a burst above the hard limit', () => {
    const { wheel, giveUp, sendPerSecond } = create();
    sendPerSecond(101);
    expect(giveUp).toHaveBeenCalledOnce();
    wheel.stop();
  });
});

describe('clones', () => {
  const settings = { cloneReplacements: 3, cloneWindowMs: 1_000 };

  it('are found by survivors in quick succession, reported once, and reported again much later', () => {
    const clones = new Clones(settings);
    expect([0, 1, 2, 3, 4].map((now) => clones.survived('a', now))).toEqual([false, false, true, false, false]);
    expect([clones.isFound('a', 5), clones.isFound('b', 5)]).toEqual([true, false]);
    const muchLater = 700_000;
    expect([0, 1, 2].map((now) => clones.survived('a', muchLater + now))).toEqual([false, false, true]);
  });

  it('are not found by occasional survivors', () => {
    const clones = new Clones(settings);
    expect([0, 600, 1_700, 2_800, 3_900].map((now) => clones.survived('a', now))).not.toContain(true);
  });
});

describe('an allowance', () => {
  it('is used up by its own key only, and is regained with time', () => {
    const tries = new Allowance(3);
    for (let index = 0; index < 3; index++) tries.spend('192.0.2.1', 0);
    expect(tries.isSpent('192.0.2.1', 0)).toBe(true);
    expect(tries.isSpent('192.0.2.2', 0)).toBe(false);
    expect(tries.isSpent('192.0.2.1', 10_000)).toBe(false);
  });

  it('is shared by all addresses of one IPv6 network', () => {
    expect(networkOf('2001:db8:1:2::1')).toBe(networkOf('2001:db8:1:2:ffff::9'));
    expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
    expect(networkOf('::ffff:192.0.2.1')).not.toBe(networkOf('::ffff:192.0.2.2'));
    expect(networkOf('192.0.2.1')).not.toBe(networkOf('192.0.2.2'));
  });
});

describe('seen notifications', () => {
  it('are recognized by router and message, for a while, and then dropped', () => {
    const seen = new SeenNotifications(0);
    const [a, b] = [Buffer.from('message a'), Buffer.from('message b')];
    const key = seen.keyOf('router-1', a);
    seen.add(key, 0);
    expect(seen.has(key)).toBe(true);
    expect(seen.keyOf('router-1', Buffer.from('message a'))).toBe(key);
    for (const other of [seen.keyOf('router-2', a), seen.keyOf('router-1', b), new SeenNotifications(0).keyOf('router-1', a)])
      expect(other).not.toBe(key);
    seen.add(1, 300_000);
    expect(seen.has(key)).toBe(true);
    seen.add(2, 600_000);
    expect(seen.has(key)).toBe(false);
  });

  it('use bounded memory', () => {
    const seen = new SeenNotifications(0);
    for (let key = 0; key < 500_000; key++) seen.add(key, 0);
    expect([seen.has(0), seen.has(499_999)]).toEqual([false, true]);
  });
});
