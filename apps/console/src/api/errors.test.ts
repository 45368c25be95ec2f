import { failuresOfPeople } from '@highline/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { errors as english } from './errors.en-US.ts';
import { displayed, endsSession, errorOf, explanationOf, messageOf } from './errors.ts';

describe('messages of failed answers', () => {
  test.each([
    [{ error: 'first', data: 'x', message: 'y', reason: 'z' }, 'first'],
    [{ error: { message: 'inner' }, data: 'x' }, 'inner'],
    [{ error: {}, data: 'data', message: 'y' }, 'data'],
    [{ message: 'message', reason: 'z' }, 'message'],
    [{ reason: 'reason' }, 'reason'],
    ['plain', 'plain'],
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
    [{ error: 42, data: [] }, undefined],
  ])('SHR-01-partial the message of %j is %s', (response, message) => {
    expect(messageOf(response)).toBe(message);
  });

  test('the envelope keeps its number, key, field, reason and detail', () => {
    const response = {
      error: { code: -6, key: 'device.mac_mismatch', message: 'Incorrect MAC address', field: 'mac', detail: 'mac', reason: 'r' },
    };
    expect(errorOf(400, response)).toMatchObject({
      status: 400,
      code: -6,
      key: 'device.mac_mismatch',
      message: 'Incorrect MAC address',
      field: 'mac',
      detail: 'mac',
      reason: 'r',
    });
  });

  test('SHR-01-partial a reason that is the message is not shown a second time', () => {
    const { message, reason } = errorOf(400, { reason: 'R1' });
    expect([message, reason]).toEqual(['R1', undefined]);
  });

  test.each([
    [{ code: -6, message: 'Other', reason: 'Device 2 of 3' }, 'Device 2 of 3'],
    [{ key: 'device.mac_mismatch', message: 'Incorrect MAC address', reason: 'Device 1 of 2' }, 'Device 1 of 2'],
    [{ key: 'inventory.too_few', message: 'Not enough', reason: 'Device 4 of 4' }, 'Device 4 of 4'],
    [{ key: 'csv.not_csv', message: 'Not a CSV file', reason: 'Row 3' }, 'Row 3'],
    [{ key: 'device.mac_mismatch', message: 'Incorrect MAC address' }, ''],
    [{ key: 'group.name_taken', message: 'Taken', reason: 'duplicate key' }, ''],
    [{ message: 'Failed', reason: 'stack' }, ''],
  ])('SHR-01-partial the reason is shown for devices and files only: %j', (error, shown) => {
    expect(explanationOf(errorOf(400, { error }))).toBe(shown);
  });

  test('the error page of a proxy becomes a readable message', () => {
    const { message } = failuresOfPeople['server.busy'];
    expect(errorOf(502, undefined)).toMatchObject({ status: 502, message, key: 'server.busy', code: undefined });
    const { message: tooLarge } = failuresOfPeople['request.too_large'];
    expect(errorOf(413, undefined)).toMatchObject({ status: 413, message: tooLarge, key: 'request.too_large' });
    expect(errorOf(418, undefined)).toMatchObject({ status: 418, message: 'HTTP 418', key: undefined });
    expect(errorOf(502, { error: 'Bad gateway' })).toMatchObject({ status: 502, message: 'Bad gateway', key: undefined });
  });

  test.each([undefined, '', { error: 'Unauthorized' }])('AUTH-06-partial a 401 of a proxy, %j, ends the session', (response) => {
    const { message, key } = errorOf(401, response);
    expect([key, displayed(message), endsSession(message)]).toEqual(['session.invalid', 'Auth token timeout', true]);
  });

  test('seconds to wait are read from the header when it contains seconds', () => {
    expect(errorOf(429, {}, '65').retryAfter).toBe(65);
    expect(errorOf(429, {}, 'Wed, 21 Oct 2026 07:28:00 GMT').retryAfter).toBeUndefined();
    expect(errorOf(429, {}).retryAfter).toBeUndefined();
  });
});

describe('English texts of failures', () => {
  let isStandardMessage: (key: string, message: string) => boolean;
  beforeAll(async () => {
    // A file before this one may have loaded the other language, which brings more of them.
    vi.resetModules();
    ({ isStandardMessage } = await import('./standard-messages.ts'));
    await import('./errors.en-US.ts');
  });
  const ofFailures = Object.entries(english).filter(([key]) => !['network', 'unexpected'].includes(key));
  test.each(ofFailures)('SHR-01-partial %s is a text of its own or that of the contract', (flat, text) => {
    const [key, { message }] = Object.entries(failuresOfPeople).find(([each]) => each.replaceAll('.', '_') === flat)!;
    expect(isStandardMessage(key, message)).toBe(text !== message);
  });
});

describe('the end of a session', () => {
  test('AUTH-06-partial these messages end it', () => {
    for (const message of ['Access token not found', 'Auth token timeout.', 'some token problem'])
      expect(endsSession(message)).toBe(true);
  });

  test('AUTH-06-partial no other failure of the product does', () => {
    const ending = Object.entries(failuresOfPeople)
      .filter(([, { message }]) => endsSession(message))
      .map(([key]) => key);
    expect(ending).toEqual(['session.missing', 'session.invalid']);
  });

  test('AUTH-06-partial it is shown without its period', () => {
    expect(displayed('Auth token timeout.')).toBe('Auth token timeout');
    expect(displayed('Permission denied')).toBe('Permission denied');
  });
});
