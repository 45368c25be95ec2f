import type { UspMessage, UspNotification } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../log.ts';
import { createManualScheduler } from '../platform/scheduler.ts';
import { Outbox } from './outbox.ts';
import type { Subscription } from './subscriptions.ts';

const EVENT: UspNotification = { type: 'event', objPath: 'Device.', eventName: 'Boot!', params: new Map() };
const WITH_RETRY: Subscription = { id: 's', notifType: 'Event', references: [], retry: true, expiresAfterMs: undefined, row: {} };

function setUp(random: number | readonly number[] = 0) {
  const scheduler = createManualScheduler();
  const sent: { at: number; message: UspMessage }[] = [];
  const line = { up: true };
  const start = scheduler.now();
  let drawn = 0;
  const outbox = new Outbox({
    scheduler,
    random: () => (typeof random === 'number' ? random : random[drawn++ % random.length]!),
    log: silentLog,
    idPrefix: 'p',
    retry: () => ({ minMs: 5_000, factor: 2 }),
    send(message) {
      if (line.up) sent.push({ at: (scheduler.now() - start) / 1000, message });
      return line.up;
    },
  });
  return { scheduler, sent, line, outbox };
}

describe('pending notifications', () => {
  it('are repeated after growing delays under one msg_id (TR-369 "Notification Retry")', () => {
    const { scheduler, sent, outbox } = setUp();
    outbox.post(WITH_RETRY, EVENT);
    scheduler.advance(200_000);
    expect(sent.map(({ at }) => at)).toEqual([0, 5, 15, 35, 75, 155]);
    expect(new Set(sent.map(({ message }) => message.msgId))).toEqual(new Set(['p-1']));
  });

  it('the delays are random between one step and the next', () => {
    const { scheduler, sent, outbox } = setUp(0.5);
    outbox.post(WITH_RETRY, EVENT);
    scheduler.advance(30_000);
    expect(sent.map(({ at }) => at)).toEqual([0, 7.5, 22.5]);
  });

  it('end with their answer, which is reported once', () => {
    const { scheduler, sent, outbox } = setUp();
    let delivered = 0;
    outbox.post(WITH_RETRY, EVENT, () => delivered++);
    outbox.acknowledge('p-1');
    outbox.acknowledge('p-1');
    scheduler.advance(1_000_000);
    expect([sent.length, delivered, outbox.size]).toEqual([1, 1, 0]);
  });

  it('wait for a connection and are sent with it, oldest first', () => {
    const { scheduler, sent, line, outbox } = setUp();
    line.up = false;
    outbox.post(WITH_RETRY, EVENT);
    outbox.post(WITH_RETRY, EVENT);
    scheduler.advance(60_000);
    line.up = true;
    outbox.resend();
    expect(sent.map(({ message }) => message.msgId)).toEqual(['p-1', 'p-2']);
  });

  it('DEV-09-partial with values of one parameter are repeated in their order, whichever is due', () => {
    const { scheduler, sent, outbox } = setUp([0.9, 0.1, 0.5, 0]);
    const valueOf = (paramPath: string, paramValue: string) => ({ type: 'value_change', paramPath, paramValue }) as const;
    for (const value of ['a', 'b']) outbox.post(WITH_RETRY, valueOf('Device.X', value));
    outbox.post(WITH_RETRY, valueOf('Device.Y', 'other'));
    scheduler.advance(60_000);
    const values = sent.flatMap(({ message: { body } }) =>
      body.type === 'notify' && body.notification.type === 'value_change' ? body.notification.paramValue : [],
    );
    expect(values.filter((value) => value !== 'other').join('')).toMatch(/^(?:ab){3,9}$/u);
  });

  it('are dropped when they expire', () => {
    const { scheduler, sent, outbox } = setUp();
    outbox.post({ ...WITH_RETRY, expiresAfterMs: 20_000 }, EVENT);
    scheduler.advance(200_000);
    expect(sent.map(({ at }) => at)).toEqual([0, 5, 15]);
    expect(outbox.size).toBe(0);
  });

  it('are kept until they expire, whatever the date is corrected to', () => {
    const { scheduler, sent, outbox } = setUp();
    outbox.post({ ...WITH_RETRY, expiresAfterMs: 20_000 }, EVENT);
    scheduler.setDate(scheduler.now() + 24 * 60 * 60_000);
    scheduler.advance(200_000);
    expect([sent.length, outbox.size]).toEqual([3, 0]);
  });

  it('without retry are sent once, or not at all', () => {
    const { scheduler, sent, line, outbox } = setUp();
    outbox.post({ ...WITH_RETRY, retry: false }, EVENT);
    line.up = false;
    outbox.post({ ...WITH_RETRY, retry: false }, EVENT);
    scheduler.advance(100_000);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.message.body).toMatchObject({ sendResp: false });
  });

  it('are bounded: the oldest is dropped', () => {
    const { sent, line, outbox } = setUp();
    line.up = false;
    for (let n = 0; n < 250; n++) outbox.post(WITH_RETRY, EVENT);
    line.up = true;
    outbox.resend();
    expect([outbox.size, sent[0]?.message.msgId, sent.at(-1)?.message.msgId]).toEqual([200, 'p-51', 'p-250']);
  });
});
