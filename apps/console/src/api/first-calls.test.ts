import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeFirstCall } from './first-calls.ts';

const answer = Promise.resolve(new Response('{}'));

describe('calls that were started while the code of the page was loading (OVW-01)', () => {
  beforeEach(() => {
    vi.stubGlobal('window', { highlineFirstCalls: new Map([['GET /a?x=1', { answer, at: performance.now() }]]) });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('an answer is used once, by the call of the same method and address', () => {
    expect(takeFirstCall('GET', '/a')).toBeUndefined();
    expect(takeFirstCall('POST', '/a?x=1')).toBeUndefined();
    expect(takeFirstCall('GET', '/a?x=1')).toBe(answer);
    expect(takeFirstCall('GET', '/a?x=1')).toBeUndefined();
  });

  test('an answer that is older than ten seconds is not used', () => {
    const { highlineFirstCalls } = window;
    highlineFirstCalls!.set('GET /old', { answer, at: performance.now() - 10_001 });
    expect(takeFirstCall('GET', '/old')).toBeUndefined();
  });

  test('without any there is nothing to use', () => {
    vi.stubGlobal('window', {});
    expect(takeFirstCall('GET', '/a?x=1')).toBeUndefined();
  });
});
