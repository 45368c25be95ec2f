import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

describe('the log', () => {
  it('is one line of JSON per event', () => {
    const lines: string[] = [];
    createLog((line) => lines.push(line))('info', 'router.connected', { serial: 'HL-1', tries: 3 });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', event: 'router.connected', serial: 'HL-1', tries: 3 });
    expect(lines).toHaveLength(1);
  });

  it('never shows a secret, plain or as part of an address', () => {
    const lines: string[] = [];
    const log = createLog((line) => lines.push(line), ['p/ss word', '']);
    log('warn', 'link.error', { reason: 'cannot reach ws://host/usp/p%2Fss%20word?eid=x', other: 'p/ss word' });
    expect(lines[0]).not.toMatch(/p%2Fss|p\/ss/);
    expect(lines[0]?.match(/\[secret\]/g)).toHaveLength(2);
  });
});
