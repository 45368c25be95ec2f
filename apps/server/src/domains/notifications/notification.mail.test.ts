import { expect, test } from 'vitest';
import { eventMail } from './notification.mail.ts';

const events = [
  {
    detail: { what: ['HL-1'], count: 1 },
    times: 1,
    happened_at: new Date('2026-11-20T12:00:00Z'),
  },
];
const reader = { language: 'en-US', zone: 'UTC', organization: 'Own', origin: 'https://cloud.test' } as const;

test('SVC-02-partial a mail greets its recipient by name in its language, without a name it has no greeting', () => {
  const named = eventMail({ ...reader, recipient: 'Kim <b>Lee</b>' }, 'BATTERY_LOW', events, 1);
  expect(named.plain).toContain('\n\nHello Kim <b>Lee</b>,\n\n');
  expect(named.html).toContain('<p>Hello Kim &lt;b&gt;Lee&lt;/b&gt;,</p>');
  const chinese = eventMail({ ...reader, language: 'zh-TW', recipient: '李小姐' }, 'BATTERY_LOW', events, 1);
  expect(chinese.plain).toContain('李小姐，您好：');
  const nameless = eventMail({ ...reader, recipient: '' }, 'BATTERY_LOW', events, 1);
  expect(nameless.plain).not.toContain('Hello');
  expect(nameless.html).not.toContain('Hello');
  expect(eventMail({ ...reader, recipient: 'Kim\r\nBcc: x' }, 'BATTERY_LOW', events, 1).plain).toContain('Hello Kim Bcc: x,');
});
