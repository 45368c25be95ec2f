import { expect, test } from 'vitest';
import { invitationMail } from './invitation-mail.ts';
import { withoutLinks } from './link-mail.ts';

test.each([
  ['Ann http://evil.test/x, see', 'Ann http evil. test x, see'],
  ['www.evil.test', 'www. evil. test'],
  ['ann@evil.test', 'ann evil. test'],
  ['evil\u3002test', 'evil. test'],
  ['J.R. Smith', 'J. R. Smith'],
  ['王小明', '王小明'],
  ['x'.repeat(100), `${'x'.repeat(59)}…`],
])('SEC-F11 a mail carries the name %j without anything that becomes a link', (typed, carried) => {
  expect(withoutLinks(typed)).toBe(carried);
});

test('SEC-F11 the only link of an invitation is its own', () => {
  const link = 'https://cloud.test/account.html?invitation=x';
  const { plain, html } = invitationMail('en-US', 'Ann http://evil.test', 'Org https://evil.test/y', link);
  for (const text of [plain, html]) {
    expect(new Set(text.match(/https?:[^\s"<]+/gu))).toEqual(new Set([link]));
    expect(text).not.toContain('evil.test');
  }
});
