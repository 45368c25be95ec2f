import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchDownload, type Operation } from '../../testing/updating-router.ts';
import { openRolloutFixture, type GroupRouter, type RolloutFixture } from '../../testing/rollouts.ts';

let fixture: RolloutFixture;
let contents: string;
let count = 0;

beforeAll(async () => {
  fixture = await openRolloutFixture();
});
afterAll(() => fixture.close());

beforeEach(() => {
  contents = `line ${++count}\n`.repeat(20);
});

/** A router that is about to download a config file. */
async function startDownload(): Promise<{ router: GroupRouter; operation: Operation }> {
  const group = await fixture.group();
  const [router] = (await fixture.routers(group, 1)) as [GroupRouter];
  await router.connect();
  await fixture.bind('config', group, await fixture.config(`file-${++count}.cfg`, contents));
  await fixture.awaitRequests(router, 1);
  return { router, operation: router.operations[0]! };
}
const statusOf = async (...fetched: Parameters<typeof fetchDownload>) => (await fetchDownload(...fetched)).status;

describe('GRP-10-partial the address of a download', () => {
  test('ends with the name of the file, for agents that name it so, and is open without the name too', async () => {
    const { operation } = await startDownload();
    const url = new URL(operation.args['URL']!);
    expect(url.pathname.split('/').at(-1)).toBe(operation.args['TargetFileName']);
    const { args } = operation;
    const older = { ...operation, args: { ...args, URL: args['URL']!.slice(0, args['URL']!.lastIndexOf('/')) } };
    expect([await statusOf(operation), await statusOf(older)]).toEqual([200, 200]);
  });

  test('opens for its router alone', async () => {
    const [{ operation }, other] = [await startDownload(), await startDownload()];
    const { Username: name, Password: password } = operation.args;
    expect(await statusOf(operation)).toBe(200);
    const { args } = other.operation;
    for (const credentials of [
      `${args['Username']}:${args['Password']}`,
      `${name}:${args['Password']}`,
      `${args['Username']}:${password}`,
      `${name}:`,
      `:${password}`,
      `${name}${password}`,
      '',
    ])
      expect(await statusOf(operation, {}, credentials), credentials).toBe(404);
    expect((await fetch(operation.args['URL']!)).status).toBe(404);
  });

  test.each(['', '/', '/x', '/%00', `/${'0'.repeat(36)}`, '/01890000-0000-7000-8000-000000000000', `/${'9'.repeat(5_000)}`])(
    'answers 404 for anything that is not a step: /dl%s',
    async (path) => {
      const response = await fetch(`${fixture.server.url}/dl${path}`, { headers: { authorization: 'Basic YTpi' } });
      expect([400, 404]).toContain(response.status);
    },
  );

  test('is closed once the step has ended, and after a day', async () => {
    const { router, operation } = await startDownload();
    expect(await statusOf(operation)).toBe(200);
    await router.complete(operation);
    expect(await statusOf(operation)).toBe(404);
    const late = await startDownload();
    fixture.clock.move(25 * 3_600_000);
    expect(await statusOf(late.operation)).toBe(404);
  });

  test('stays open for a router that was away for more than a day, before and after it connects again', async () => {
    const { router, operation } = await startDownload();
    router.cut();
    const { owner } = fixture.server;
    const presence = async () =>
      (await owner.query('select presence from devices where id = $1', [router.device])).rows[0]?.presence;
    await expect.poll(presence).toBe('offline');
    fixture.clock.move(25 * 3_600_000);
    expect(await statusOf(operation, { range: 'bytes=10-' })).toBe(206);
    await router.connect();
    await expect.poll(presence).toBe('online');
    expect(await statusOf(operation, { range: 'bytes=20-' })).toBe(206);
  });

  test('serves single ranges, so that a download continues after coverage was lost', async () => {
    const { operation } = await startDownload();
    const bytes = Buffer.from(contents);
    const whole = await fetchDownload(operation);
    const tag = whole.headers.get('etag')!;
    expect(tag).toBe(`"${operation.args['CheckSum']}"`);
    expect([await whole.text(), whole.headers.get('accept-ranges')]).toEqual([contents, 'bytes']);
    const part = await fetchDownload(operation, { range: 'bytes=10-', 'if-range': tag });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-${bytes.length - 1}/${bytes.length}`]);
    expect(await part.text()).toBe(contents.slice(10));
    expect(await (await fetchDownload(operation, { range: 'bytes=-5' })).text()).toBe(contents.slice(-5));
    const other = await fetchDownload(operation, { range: 'bytes=10-', 'if-range': '"another"' });
    expect([other.status, await other.text()]).toEqual([200, contents]);
    const behind = await fetchDownload(operation, { range: `bytes=${bytes.length}-` });
    expect([behind.status, behind.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    for (const range of ['bytes=1-2,4-5', 'bytes=x', 'lines=1-2']) expect(await statusOf(operation, { range })).toBe(200);
  });

  test('answers HEAD with size and tag, without the file', async () => {
    const { operation } = await startDownload();
    const { URL: url, Username: name, Password: password } = operation.args;
    const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
    const response = await fetch(url!, { method: 'HEAD', headers: { authorization } });
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([
      200,
      String(contents.length),
      '',
    ]);
  });

  test('that has expired costs no other router behind the same address its download, however many there are', async () => {
    const { operation } = await startDownload();
    const stale = Array.from({ length: 60 }, () =>
      fetch(`${fixture.server.url}/dl/${randomUUID()}`, { headers: { authorization: 'Basic YTpi' } }),
    );
    expect(new Set((await Promise.all(stale)).map(({ status }) => status))).toEqual(new Set([404]));
    expect(await statusOf(operation, {}, 'a:b')).toBe(404);
    expect(await statusOf(operation)).toBe(200);
  });

  test('limits wrong guesses without keeping any router from its file', async () => {
    const { operation } = await startDownload();
    const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf(operation, {}, 'a:b')));
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    expect(await statusOf(operation)).toBe(200);
  });
});
