import { expect, test, vi } from 'vitest';
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
  for (const link of ['reset', 'invitation', 'setup', 'confirm', 'unsubscribe'])
    expect(redactAddress(`/account.html?${link}=abc`)).toBe(`/account.html?${link}=[redacted]`);
  expect(redactAddress('PUT https://h/transfers/abc failed')).toBe('PUT https://h/transfers/[redacted] failed');
  expect(redactAddress('wss://h/usp/abc?eid=os%3A%3A1')).toBe('wss://h/usp/[redacted]?eid=os%3A%3A1');
});

test('each line names the process and its version', () => {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) }, { base: { node: 'node-1', version: '1.0.0+abc' } }).info({}, 'said');
  expect(JSON.parse(lines[0]!)).toMatchObject({ node: 'node-1', version: '1.0.0+abc', msg: 'said' });
});

test('an outage is one line for each of its faults, and one at its end', () => {
  vi.useFakeTimers();
  try {
    const lines: string[] = [];
    const isOutage = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
    const log = createLog('info', { write: (line) => lines.push(line) }, { isOutage });
    const unreachable = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    for (let n = 0; n < 160; n++) {
      log.warn({ err: unreachable }, `job ${n} failed`);
      vi.advanceTimersByTime(100);
    }
    log.warn({ err: new Error('a fault of ours') }, 'failed');
    log.warn({ err: new Error('a fault of ours') }, 'failed');
    vi.advanceTimersByTime(30_000);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'job 0 failed',
      'failed',
      'failed',
      'An outage is over; equal lines were left out.',
    ]);
    expect(JSON.parse(lines[3]!)).toMatchObject({ omitted: 159 });
  } finally {
    vi.useRealTimers();
  }
});
