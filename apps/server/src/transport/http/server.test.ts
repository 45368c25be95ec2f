import { expect, test } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import { createHttpServer } from './server.ts';

test.each([
  [true, 'max-age=31536000; includeSubDomains'],
  [false, undefined],
])('answers keep browsers on https when users reach us by https, also behind a proxy (%s)', async (secure, header) => {
  const app = await createHttpServer({
    log: createLog('silent'),
    trustedProxies: [],
    tls: undefined,
    secure,
    isBusy: () => false,
  });
  app.get('/page', () => 'a page');
  const answer = await app.inject('/page');
  expect(answer.headers['strict-transport-security']).toBe(header);
  await app.close();
});
