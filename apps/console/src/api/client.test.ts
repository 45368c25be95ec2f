import { accounts, deviceAdding, devices } from '@highline/contract';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addressOf, call, callDated, callTagged, onSessionLost } from './client.ts';
import { ApiError } from './errors.ts';

function responding(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetched = vi.fn<typeof fetch>(async () => Response.json(body, { status, headers }));
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

afterEach(() => {
  vi.unstubAllGlobals();
  onSessionLost(() => undefined);
});

describe('addresses', () => {
  test('placeholders and query are filled in and escaped; missing values are left out', () => {
    expect(
      addressOf({ path: '/a/{id}/b' }, { params: { id: 'x/y?z' }, query: { search: 'a&b+c', page: 2, none: undefined } }),
    ).toBe('/a/x%2Fy%3Fz/b?search=a%26b%2Bc&page=2');
    expect(addressOf({ path: '/a' }, { query: {} })).toBe('/a');
  });

  test("the default group's key keeps its plus signs", () => {
    expect(addressOf(devices.listDevices, { query: { group: 'default+group+id' } })).toBe(
      '/data_manager/v1/dm/devices?group=default%2Bgroup%2Bid',
    );
  });
});

describe('calls', () => {
  test("a dated answer shows how far the server's clock is ahead, and nothing without a date", async () => {
    responding(200, { result: [] }, { date: new Date(Date.now() + 3_600_000).toUTCString() });
    expect(Math.round((await callDated(devices.listDevices, {})).ahead / 60_000)).toBe(60);
    responding(200, { result: [] });
    expect((await callDated(devices.listDevices, {})).ahead).toBe(0);
  });

  test('a list is requested with our cookie and returned typed', async () => {
    const fetched = responding(200, { result: [], total: 0 });
    const response = await call(devices.listDevices, { query: { limit: 10, offset: 0 } });
    expect(response.total).toBe(0);
    expect(fetched).toHaveBeenCalledWith(
      '/data_manager/v1/dm/devices?limit=10&offset=0',
      expect.objectContaining({ method: 'GET', credentials: 'same-origin' }),
    );
  });

  test('a change carries JSON and the tag it is based on', async () => {
    const fetched = responding(200, { result: {} }, { etag: '"7"' });
    const { etag } = await callTagged(devices.saveDevice, { body: { device: 'd1', note: 'n' }, ifMatch: '"6"' });
    expect(etag).toBe('"7"');
    const request = fetched.mock.calls[0]?.[1];
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'if-match': '"6"' });
    expect(request?.body).toBe('{"device":"d1","note":"n"}');
  });

  test('a file travels as multipart, its text fields first', async () => {
    const fetched = responding(200, { result: {} });
    await call(deviceAdding.importDevices, {
      body: { org: 'o1' },
      query: { dryRun: '1' },
      files: { file: new File(['x'], 'a.csv') },
    });
    const body = fetched.mock.calls[0]?.[1]?.body as FormData;
    expect([...body.keys()]).toEqual(['org', 'file']);
  });

  test('a failure is thrown with its key', async () => {
    responding(400, { error: { code: -6, key: 'device.serial_unknown', message: 'Incorrect serial number' } });
    await expect(call(accounts.introspect, {})).rejects.toMatchObject({ key: 'device.serial_unknown', code: -6 });
  });

  test('a missing answer is reported as a network failure', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(call(accounts.introspect, {})).rejects.toMatchObject({ status: 0, key: 'network' });
  });

  test('AUTH-06-partial a message about the bearer signs the person out, another does not', async () => {
    const lost: ApiError[] = [];
    onSessionLost((error) => lost.push(error));
    responding(403, { error: { code: 403, key: 'permission.denied', message: 'Permission denied' } });
    await expect(call(accounts.introspect, {})).rejects.toBeInstanceOf(ApiError);
    expect(lost).toHaveLength(0);
    responding(401, { error: { code: 401, key: 'session.invalid', message: 'Auth token timeout.' } });
    await expect(call(accounts.introspect, {})).rejects.toBeInstanceOf(ApiError);
    expect(lost.map((error) => error.key)).toEqual(['session.invalid']);
  });
});
