import { expect, test } from 'vitest';
import { invitationMail } from './invitation-mail.ts';
import { greetingOf, withoutLinks } from './link-mail.ts';

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

test.each([
  ['en-US', 'ops@blueridge.example', 'Hello,'],
  ['en-US', 'Ann', 'Hello Ann,'],
  ['zh-TW', 'ops@blueridge.example', '您好：'],
  ['zh-TW', '王小明', '王小明，您好：'],
] as const)('USR-02-partial a mail in %s to %s begins with %s', (language, name, greeting) => {
  expect(greetingOf(language, name)).toBe(greeting);
});

test('SEC-F11 the only link of an invitation is its own', () => {
  const link = 'https://cloud.test/account.html?invitation=x';
  const { plain, html } = invitationMail(
    'en-US',
    { name: 'Ann http://evil.test', inviter: 'Bob www.evil.test', tenant: 'Org https://evil.test/y', role: 'admin' },
    link,
  );
  for (const text of [plain, html]) {
    expect(new Set(text.match(/https?:[^\s"<]+/gu))).toEqual(new Set([link]));
    expect(text).not.toContain('evil.test');
  }
});

test.each([
  ['en-US', 'Dana invited you to Lake Transit on Highline as an admin.'],
  ['zh-TW', 'Dana 邀請您以管理員身分加入 Highline 上的「Lake Transit」。'],
] as const)('USR-02-partial an invitation in %s says who invites whom to what', (language, sentence) => {
  const { plain } = invitationMail(
    language,
    { name: 'Ann', inviter: 'Dana', tenant: 'Lake Transit', role: 'admin' },
    'https://x.test',
  );
  expect(plain).toContain('Ann');
  expect(plain).toContain(sentence);
});
