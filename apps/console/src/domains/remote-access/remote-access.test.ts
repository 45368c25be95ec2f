import { describe, expect, test } from 'vitest';
import { formatCountdown, pageOf, secondsLeft, sshLine, untilNextTick } from './remote-access.ts';

describe('the countdown of one-time credentials', () => {
  const deadline = 1_000_000;

  test('RMT-02-partial it begins at 05:00, changes at whole seconds before the deadline and ends at 00:00', () => {
    const shown = (now: number) => formatCountdown(secondsLeft(deadline, now));
    expect(shown(deadline - 300_000)).toBe('05:00');
    expect(shown(deadline - 299_001)).toBe('05:00');
    expect(shown(deadline - 299_000)).toBe('04:59');
    expect(shown(deadline - 60_000)).toBe('01:00');
    expect(shown(deadline - 1)).toBe('00:01');
    expect(shown(deadline)).toBe('00:00');
    expect(shown(deadline + 5000)).toBe('00:00');
  });

  test('RMT-02-partial a clock that runs behind adds nothing to the five minutes', () => {
    expect(secondsLeft(deadline, deadline - 3_600_000)).toBe(300);
  });

  test('RMT-02-partial each tick comes when the next number is due', () => {
    for (const now of [deadline - 300_000, deadline - 299_400, deadline - 1500, deadline - 1]) {
      const before = secondsLeft(deadline, now);
      expect(secondsLeft(deadline, now + untilNextTick(deadline, now))).toBe(before - 1);
    }
  });
});

describe('ways to a router', () => {
  test('RMT-01-partial the line for a terminal names port, user and host', () => {
    expect(sshLine({ host: '203.0.113.20', port: 41_837, username: 'hl-7fq2' })).toBe('ssh -p 41837 hl-7fq2@203.0.113.20');
  });

  test('only the address of a web page is opened', () => {
    expect(pageOf('http://abc.localhost:8080')).toBe('http://abc.localhost:8080/');
    expect(pageOf('javascript:alert(1)')).toBeUndefined();
    expect(pageOf('203.0.113.20')).toBeUndefined();
  });
});
