import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { firstCallsSince, takeFirstCall } from './first-calls.ts';

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

  test('the page is as old as its oldest answer, also once that was used', () => {
    window.highlineFirstCalls!.set('GET /b', { answer, at: performance.now() - 3_000 });
    expect(Date.now() - firstCallsSince()).toBeGreaterThanOrEqual(2_990);
    void takeFirstCall('GET', '/b');
    expect(Date.now() - firstCallsSince()).toBeGreaterThanOrEqual(2_990);
  });

  test('without any the page is as old as now', () => {
    vi.stubGlobal('window', {});
    expect(Date.now() - firstCallsSince()).toBeLessThan(1_000);
    expect(takeFirstCall('GET', '/a?x=1')).toBeUndefined();
  });
});
