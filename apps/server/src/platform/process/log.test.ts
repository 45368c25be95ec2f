import { expect, test } from 'vitest';
import { createLog, redactAddress } from './log.ts';

test('secrets never reach the log, in any field', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.info({ password: 's3cret-a', account: { vap: 's3cret-b' }, url: '/?id=1&vap=s3cret-c' }, 'tried');
  log.error({ err: new Error('cannot open ws://host/usp/s3cret-d?eid=os::1') }, 'failed');
  const text = lines.join('');
  expect(text).not.toContain('s3cret');
  expect(text).toContain('[redacted]');
});

test('redactAddress keeps everything of an address except its secrets', () => {
  expect(redactAddress('/devices/list?page=2&vap=abc&x=1')).toBe('/devices/list?page=2&vap=[redacted]&x=1');
  for (const link of ['reset', 'invitation', 'setup'])
    expect(redactAddress(`/account.html?${link}=abc`)).toBe(`/account.html?${link}=[redacted]`);
  expect(redactAddress('wss://h/usp/abc?eid=os%3A%3A1')).toBe('wss://h/usp/[redacted]?eid=os%3A%3A1');
});
