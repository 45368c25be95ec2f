import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { checkOrigin } from './caller.ts';

const request = (headers: Record<string, string>, method = 'POST') =>
  ({ method, headers, protocol: 'https', host: headers['x-forwarded-host'] ?? headers['host'] }) as unknown as FastifyRequest;

const isRejected = (headers: Record<string, string>, own: string | undefined, method?: string): boolean => {
  try {
    checkOrigin(request(headers, method), own);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ key: 'request.origin' });
    return true;
  }
};

test('SEC-F16-partial in production a write with the cookie comes from a page of PUBLIC_URL, whatever host the request or its proxy names', () => {
  const own = 'https://fleet.example.com';
  const host = 'fleet.example.com';
  expect(isRejected({ host, origin: own }, own)).toBe(false);
  expect(isRejected({ host, 'sec-fetch-site': 'same-origin' }, own)).toBe(false);
  expect(isRejected({ host, 'x-forwarded-host': 'evil.test', origin: 'https://evil.test' }, own)).toBe(true);
  expect(isRejected({ host: 'evil.test', origin: 'https://evil.test' }, own)).toBe(true);
  expect(isRejected({ host, 'sec-fetch-site': 'same-site' }, own)).toBe(true);
  expect(isRejected({ host }, own)).toBe(true);
  expect(isRejected({ host }, own, 'GET')).toBe(false);
});

test('in the demo it comes from a page of the host that the request names', () => {
  expect(isRejected({ host: 'localhost:8080', origin: 'https://localhost:8080' }, undefined)).toBe(false);
  expect(isRejected({ host: 'localhost:8080', origin: 'https://evil.test' }, undefined)).toBe(true);
});
