import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startNameServer, type NameResponse, type NameServer } from '../../../testing/name-server.ts';
import { startCallReceiver, type CallReceiver } from '../../../testing/call-receiver.ts';
import type { HostResolver, WebCaller } from '../../ports/web-caller.ts';
import { createResolver } from './resolver.ts';
import { createWebCaller, type WebCallerSettings } from './web-caller.ts';

let names: NameServer;
let folder: string;
let hostsFile: string;
let resolver: HostResolver;
const lasting = new AbortController().signal;

beforeEach(async () => {
  names = await startNameServer();
  folder = await mkdtemp(join(tmpdir(), 'highline-names-'));
  hostsFile = join(folder, 'hosts');
  await writeFile(hostsFile, '127.0.0.1 localhost\n');
  resolver = createResolver({ servers: [names.address], hostsFile });
});
afterEach(async () => {
  names.close();
  await rm(folder, { recursive: true });
});

/** The responses of the name server, by name; other names do not exist. */
const say = (responses: Readonly<Record<string, NameResponse>>) => names.respond(({ name }) => responses[name] ?? 'missing');

describe('HKS-01 names of receivers', () => {
  test('HKS-01-partial the hosts file is first: names of any case, several addresses, comments, and what changes in it', async () => {
    await writeFile(
      hostsFile,
      '# ours\n\n127.0.0.1\tlocalhost  Hooks.Example.com # and more\r\n::1 localhost\nnone other.example.com\n',
    );
    expect(await resolver.resolve('localhost', lasting)).toEqual(['127.0.0.1', '::1']);
    expect(await resolver.resolve('hooks.example.com', lasting)).toEqual(['127.0.0.1']);
    expect(names.questions).toEqual([]);
    await expect(resolver.resolve('other.example.com', lasting)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await writeFile(hostsFile, '10.0.0.7 other.example.com\n');
    expect(await resolver.resolve('other.example.com', lasting)).toEqual(['10.0.0.7']);
    await rm(hostsFile);
    await expect(resolver.resolve('other.example.com', lasting)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('HKS-01-partial then DNS: addresses of both kinds, IPv4 first; a failure is none that the name does not exist', async () => {
    say({
      'both.example.com': ['2001:db8::5', '192.0.2.1', '192.0.2.2'],
      'six.example.com': ['2001:db8::6'],
      'empty.example.com': [],
      'failed.example.com': 'failed',
    });
    expect(await resolver.resolve('both.example.com', lasting)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::5']);
    expect(await resolver.resolve('six.example.com', lasting)).toEqual(['2001:db8::6']);
    await expect(resolver.resolve('empty.example.com', lasting)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve('missing.example.com', lasting)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve('failed.example.com', lasting)).rejects.toMatchObject({ code: 'EAI_AGAIN' });
  });

  test('HKS-01-partial a name without dots is resolved as it is written', async () => {
    say({ receiver: ['192.0.2.1'] });
    expect(await resolver.resolve('receiver', lasting)).toEqual(['192.0.2.1']);
    expect(new Set(names.questions.map(({ name }) => name))).toEqual(new Set(['receiver']));
  });

  test('HKS-01-partial a lookup ends when no one waits for it, and others go on', async () => {
    const other = Promise.withResolvers<NameResponse>();
    names.respond(({ name }) => (name === 'silent.example.com' ? 'silent' : other.promise));
    const ending = new AbortController();
    const ended = resolver.resolve('silent.example.com', ending.signal).catch((error: unknown) => error);
    const late = resolver.resolve('late.example.com', lasting);
    await expect.poll(() => new Set(names.questions.map(({ name }) => name)).size).toBe(2);
    ending.abort();
    expect(await ended).toMatchObject({ code: 'EAI_AGAIN', cause: { code: 'ECANCELLED' } });
    other.resolve(['192.0.2.1']);
    expect(await late).toEqual(['192.0.2.1']);
    await expect(resolver.resolve('localhost', AbortSignal.abort())).rejects.toThrow('aborted');
  });
});

describe('HKS-01 calls to names', () => {
  let receiver: CallReceiver;
  const callers: WebCaller[] = [];

  beforeEach(async () => {
    receiver = await startCallReceiver();
  });
  afterEach(async () => {
    for (const caller of callers.splice(0)) await caller.close();
    await receiver.close();
  });

  function open(settings: Partial<WebCallerSettings> = {}): WebCaller {
    // Longer than a test: what ends earlier does so for another reason.
    const caller = createWebCaller({
      allowsHttp: true,
      allowedNetworks: ['127.0.0.1'],
      resolver,
      timeoutMs: 600_000,
      ...settings,
    });
    callers.push(caller);
    return caller;
  }
  const post = (caller: WebCaller, host: string, owner = 'victim') =>
    caller.post({ owner, url: `http://${host}:${receiver.port}/`, headers: {}, body: '{}' });

  test('HKS-01-partial names of one owner that no name server answers delay no call of another', async () => {
    names.respond(({ name }) => (name === 'hooks.example.com' ? ['127.0.0.1'] : 'silent'));
    const caller = open();
    // The process has four threads for lookups of the operating system.
    const slow = Array.from({ length: 32 }, (_, index) => post(caller, `slow-${index % 8}.example.com`, 'slow'));
    await expect.poll(() => new Set(names.questions.map(({ name }) => name)).size).toBeGreaterThanOrEqual(4);
    expect(await post(caller, 'localhost')).toMatchObject({ status: 204 });
    expect(await post(caller, 'hooks.example.com')).toMatchObject({ status: 204 });
    await caller.close();
    for (const { status } of await Promise.all(slow)) expect(status).toBeNull();
  });

  test('HKS-01-partial an answer that comes late is used', async () => {
    const late = Promise.withResolvers<NameResponse>();
    names.respond(() => late.promise);
    const called = post(open(), 'late.example.com');
    await expect.poll(() => names.questions.length).toBeGreaterThan(0);
    late.resolve(['127.0.0.1']);
    expect(await called).toMatchObject({ status: 204 });
  });

  test('HKS-01-partial the lookup of a call ends with it', async () => {
    names.respond(() => 'silent');
    const signals: AbortSignal[] = [];
    const watched: HostResolver = {
      resolve(host, signal) {
        signals.push(signal);
        return resolver.resolve(host, signal);
      },
    };
    const caller = open({ resolver: watched, timeoutMs: 200 });
    expect(await post(caller, 'silent.example.com')).toMatchObject({ fault: 'There was no answer within 0.2 seconds.' });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test.each([
    [['127.0.0.1', '10.0.0.1'], '10.0.0.1'],
    [['127.0.0.1', '::ffff:a00:1'], '::ffff:10.0.0.1'],
    [['127.0.0.1', 'fd00::1'], 'fd00::1'],
  ])('HKS-01-partial a name that DNS says leads to %s is not called', async (addresses, rejected) => {
    say({ 'two.example.com': addresses });
    expect(await post(open(), 'two.example.com')).toMatchObject({
      status: null,
      fault: expect.stringContaining(`${rejected} is not`),
    });
    expect(receiver.calls).toEqual([]);
  });

  test('HKS-01-partial a name that does not exist, and one whose name server fails, are plain sentences', async () => {
    say({ 'failed.example.com': 'failed' });
    expect(await post(open(), 'missing.example.com')).toMatchObject({ fault: 'This host name does not exist.' });
    expect(await post(open(), 'failed.example.com')).toMatchObject({
      fault: 'The host name could not be resolved at this time.',
    });
  });
});
