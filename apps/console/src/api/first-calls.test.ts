import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeFirstCall } from './first-calls.ts';

const response = Promise.resolve(new Response('{}'));

describe('calls that were started while the code of the page was loading (OVW-01)', () => {
  beforeEach(() => {
    vi.stubGlobal('window', { highlineFirstCalls: new Map([['GET /a?x=1', { response, at: performance.now() }]]) });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('an answer is used once, by the call of the same method and address', () => {
    expect(takeFirstCall('GET', '/a')).toBeUndefined();
    expect(takeFirstCall('POST', '/a?x=1')).toBeUndefined();
    expect(takeFirstCall('GET', '/a?x=1')).toBe(response);
    expect(takeFirstCall('GET', '/a?x=1')).toBeUndefined();
  });

  test('an answer that is older than ten seconds is not used', () => {
    const { highlineFirstCalls } = window;
    highlineFirstCalls!.set('GET /old', { response, at: performance.now() - 10_001 });
    expect(takeFirstCall('GET', '/old')).toBeUndefined();
  });

  test('without any there is nothing to use', () => {
    vi.stubGlobal('window', {});
    expect(takeFirstCall('GET', '/a?x=1')).toBeUndefined();
  });
});

describe('the calls that public/first-calls.js starts at /dashboard', () => {
  const script = readFileSync(join(import.meta.dirname, '../../public/first-calls.js'), 'utf8');

  /** Addresses of the calls once the session has been answered. */
  async function started(org: { id: string } | null): Promise<string[]> {
    const addresses: string[] = [];
    runInNewContext(script, {
      window: {},
      localStorage: { getItem: () => null },
      document: { cookie: 'id=u1', querySelector: () => null },
      location: { pathname: '/dashboard', search: '' },
      performance,
      URLSearchParams,
      fetch: async (address: string) => {
        addresses.push(address);
        return Response.json({ result: address.endsWith('/introspect/') ? { org } : [] });
      },
    });
    await vi.waitFor(() => expect(addresses.length).toBeGreaterThan(4));
    await new Promise((resolve) => setImmediate(resolve));
    return addresses;
  }

  test('the overview of an organization: its pinned charts and who is signed in, too', async () => {
    expect(await started({ id: 'o1' })).toEqual(
      expect.arrayContaining(['/dmp_aa/api/v1/login/status/o1', '/vega_lite_manager/api/v1/draws']),
    );
  });

  test('the main account, which leaves that page, calls nothing that is only for people of an organization', async () => {
    const addresses = await started(null);
    expect(addresses.filter((address) => /draws|login/u.test(address))).toEqual([]);
  });
});
