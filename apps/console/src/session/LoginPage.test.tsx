import { accounts } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { startConsole } from '../testing/console.tsx';

test('AUTH-03-partial of all login messages only the one of the frame, from its origin, signs in, and the page is loaded again', async () => {
  const frame = {} as Window;
  vi.spyOn(HTMLIFrameElement.prototype, 'contentWindow', 'get').mockReturnValue(frame);
  const { open, respond, requests, left } = startConsole();
  respond(accounts.loginFrame, { data: `${location.origin}/account.html` });
  await open('/login?next=%2Fdevices%2Flist');
  expect(screen.getByTitle('Sign-in page').getAttribute('src')).toBe(`${location.origin}/account.html`);
  const post = (origin: string, source: unknown, data: unknown) =>
    window.dispatchEvent(Object.assign(new Event('message'), { origin, source, data }));
  const message = { type: 'login', id: 'a1', vap: 'secret' };
  post('https://evil.example', frame, message);
  post('null', frame, message);
  post(location.origin, window, message);
  post('https://evil.example', frame, { type: 'invalid-account' });
  for (const odd of [null, 'login', { type: 'login' }, { ...message, type: 'other' }]) post(location.origin, frame, odd);
  expect([requests(accounts.openSession), left]).toEqual([[], []]);
  post(location.origin, frame, message);
  await expect.poll(() => left).toEqual(['/devices/list']);
  expect(requests(accounts.openSession).map(({ body }) => body)).toEqual([{ id: 'a1', vap: 'secret' }]);
});
