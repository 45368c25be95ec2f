import { describe, expect, test } from 'vitest';
import { readFrameMessage } from './login-message.ts';
import { safeReturn, signInAddress } from './sign-out.ts';

describe('messages to the sign-in listener', () => {
  const frame = { name: 'our frame' };
  const origin = 'https://console.example';
  const login = { type: 'login', id: 'a1', vap: 'secret' };

  test('AUTH-03-partial a login message of our frame counts', () => {
    expect(readFrameMessage({ origin, source: frame, data: login }, origin, frame)).toEqual(login);
  });

  test('AUTH-03-partial the same message from another origin is ignored', () => {
    expect(readFrameMessage({ origin: 'https://evil.example', source: frame, data: login }, origin, frame)).toBeUndefined();
  });

  test('AUTH-03-partial the same message from another window is ignored, also before the frame exists', () => {
    expect(readFrameMessage({ origin, source: { name: 'other' }, data: login }, origin, frame)).toBeUndefined();
    expect(readFrameMessage({ origin, source: null, data: login }, origin, null)).toBeUndefined();
  });

  test('AUTH-04-partial an invalid account is reported', () => {
    expect(readFrameMessage({ origin, source: frame, data: { type: 'invalid-account', more: 1 } }, origin, frame)).toEqual({
      type: 'invalid-account',
    });
  });

  test.each([null, 'login', 7, {}, { type: 'login' }, { type: 'login', id: 'a', vap: 7 }, { type: 'other', id: 'a', vap: 'b' }])(
    'anything else is ignored: %j',
    (data) => {
      expect(readFrameMessage({ origin, source: frame, data }, origin, frame)).toBeUndefined();
    },
  );
});

describe('the way back after signing in', () => {
  test.each(['/devices/list?page=2', '/dashboard', '/devices/setting?device=a%2Fb'])('a path of ours is kept: %s', (path) => {
    expect(safeReturn(path)).toBe(path);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/a\\b',
    'javascript:alert(1)',
    '/a\nb',
    '',
    undefined,
    7,
    '/login?next=/login',
    '/logout',
  ])('anything else leads to the start: %s', (path) => {
    expect(safeReturn(path)).toBe('/');
  });

  test('the address of the sign-in page names the way back and that a session ended', () => {
    expect(signInAddress('/devices/list?page=2', true)).toBe('/login?next=%2Fdevices%2Flist%3Fpage%3D2&ended=1');
    expect(signInAddress('/', false)).toBe('/login');
  });
});
