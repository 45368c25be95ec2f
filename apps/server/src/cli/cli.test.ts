import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@highline/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run as runLine } from './run.ts';
import { startServerProcess, until, type ServerProcess } from '../testing/process.ts';

const program = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-cli-'));
  await writeFile(at('payload'), randomBytes(300_000));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The output of a command line. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const printed = { out: '', err: '' };
  const code = await runLine(args, {
    environment,
    out: (text) => (printed.out += text),
    err: (text) => (printed.err += text),
  });
  return { code, ...printed };
}

/** The same as a separate process. */
const spawnProgram = (...args: readonly string[]) => spawnWith({}, args);

async function spawnWith(settings: Record<string, string>, args: readonly string[]) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, out, err };
}
const firmware = (...args: string[]) => run(['firmware', ...args]);
const sign = (to: string, key = at('keys/firmware-key.pem'), version = '3.0.0') =>
  firmware('sign', '--key', key, '--model', 'HL-R520 5G', '--version', version, at('payload'), at(to));

describe('the command line', () => {
  test('FWR-02-partial makes a key pair once, signs an image with it and verifies it', async () => {
    const made = await firmware('keygen', '--out', at('keys'));
    expect([made.code, made.err]).toEqual([0, '']);
    const fingerprint = /[0-9a-f]{64}/u.exec(made.out)![0];
    expect((await stat(at('keys/firmware-key.pem'))).mode & 0o777).toBe(0o600);
    const again = await firmware('keygen', '--out', at('keys'));
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not overwritten')]);

    expect((await sign('image')).out).toContain('version 3.0.0 for HL-R520 5G');
    expect((await readFile(at('image'))).subarray(0, 300_000).equals(await readFile(at('payload')))).toBe(true);
    const verified = await firmware('verify', '--key', at('keys/firmware-key.pub.pem'), at('image'));
    expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(`signed by ${fingerprint}`)]);
  });

  test("FWR-02-partial explains the faults of an image, and does not verify another's", async () => {
    await firmware('keygen', '--out', at('other'));
    const verify = (name: string, key = 'keys') => firmware('verify', '--key', at(`${key}/firmware-key.pub.pem`), at(name));
    await sign('changed');
    await appendFile(at('changed'), 'x');
    await sign('cut');
    await writeFile(at('cut'), (await readFile(at('cut'))).subarray(100));
    await writeFile(at('empty'), '');
    const responses = [
      await verify('image', 'other'),
      await verify('changed'),
      await verify('cut'),
      await verify('empty'),
      await verify('nowhere'),
      await firmware('verify', '--key', at('keys/firmware-key.pem'), at('image')),
      await firmware('sign', '--key', at('keys/firmware-key.pem'), '--model', 'm', '--version', 'v', at('image'), at('twice')),
      await sign('long', undefined, 'v'.repeat(101)),
    ];
    expect(responses.map(({ code }) => code)).toEqual(responses.map(() => 1));
    expect(responses.map(({ err }) => err.trim().replaceAll(folder, ''))).toEqual([
      'highline: /image was changed, or signed with another key.',
      'highline: /changed has no signature.',
      'highline: /cut is incomplete.',
      'highline: /empty is empty.',
      expect.stringContaining('/nowhere cannot be read'),
      expect.stringContaining('This is a private key'),
      expect.stringContaining('already has a trailer'),
      expect.stringContaining('a version 1 to 100'),
    ]);
  });

  test.each([
    [['firmware', 'flash'], "no command 'firmware flash'"],
    [['firmware', 'sign', '--model', 'x'], '--key, --version: missing'],
    [['firmware', 'verify', '--key', 'x'], 'expected 1 file name, not 0'],
    [['firmware', 'keygen', '--in', 'x'], "Unknown option '--in'"],
    [['firmware', 'upload', '--server', 'ftp://x', '--email', 'a', '--password', 'b', 'x'], '--server: expected'],
    [['firmware', 'upload', '--server', 'http://x', '--email', 'a', 'x'], 'set HIGHLINE_PASSWORD'],
  ])('FWR-02-partial a wrong command line %j is rejected with an explanation', async (args, message) => {
    const { code, err } = await run(args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test('FWR-02-partial as a program it explains itself, and returns the result as its exit code', async () => {
    const [explained, wrong, failed] = await Promise.all([
      spawnProgram('--help'),
      spawnProgram('firmware', 'flash'),
      spawnProgram('firmware', 'verify', '--key', at('nowhere'), at('payload')),
    ]);
    expect(explained).toMatchObject({ code: 0, out: expect.stringContaining('firmware upload'), err: '' });
    expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^highline: no command 'firmware flash'\nSee/u) });
    expect(failed).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^highline: .*nowhere cannot be read/u) });
  });
});

describe('the command line against a separate server process', () => {
  let server: ServerProcess;

  beforeAll(async () => {
    server = await startServerProcess(at('server'));
  });
  afterAll(() => server?.stop());

  const upload = (name: string, more: readonly string[] = [], password = 'highline-demo') =>
    run(['firmware', 'upload', '--server', server.url, '--email', 'main@highline.demo', ...more, at(name)], {
      HIGHLINE_PASSWORD: password,
    });
  const catalogue = async () => {
    const body = JSON.stringify({ email: 'user@highline.demo', password: 'highline-demo' });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch(`${server.url}/dmp_aa/api/v1/auth/token`, { method: 'POST', headers, body });
    const { result } = (await signedIn.json()) as { result: { vap: string } };
    const list = await fetch(`${server.url}/data_manager/v1/dm/firmware?sort=profile&limit=50`, {
      headers: { authorization: `Bearer ${result.vap}` },
    });
    return ((await list.json()) as { result: { profile: string; version: string; signedBy: string | null; note: string }[] })
      .result;
  };

  test('FWR-02-partial the demo comes with three signed images', async () => {
    const rows = await catalogue();
    expect(rows.map(({ profile, version }) => `${profile} ${version}`).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'HL-R320 2.9.0',
      'HL-R520 5G 2.8.1',
      'HL-R520 5G 2.9.0',
    ]);
    expect(new Set(rows.map(({ signedBy }) => signedBy)).size).toBe(1);
    expect(rows[0]!.signedBy).toMatch(/^[0-9a-f]{64}$/u);
  });

  test('FWR-02-partial it uploads images signed by a trusted key, once, and the organizations see them', async () => {
    await sign('trusted', at('server/demo-signing-key.pem'));
    const done = await upload('trusted', ['--notes', 'From the command line']);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(await catalogue()).toContainEqual(
      expect.objectContaining({ profile: 'HL-R520 5G', version: '3.0.0', note: 'From the command line' }),
    );
    const again = await upload('trusted');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is already in the catalog')]);
  });

  test('LOG-02-partial it saves a log with its key, and verifies it offline with the checkpoints of the data folder', async () => {
    const password = { HIGHLINE_PASSWORD: 'highline-demo' };
    const who = ['--server', server.url, '--email', 'admin@highline.demo'];
    const saved = await run(['audit', 'export', ...who, '--key-out', at('audit.pem'), at('log.ndjson')], password);
    expect([saved.code, saved.err]).toEqual([0, '']);
    const [month] = await readdir(at('server/audit'));
    const verify = (name: string, ...more: string[]) => run(['audit', 'verify', '--key', at('audit.pem'), ...more, at(name)]);
    const checkpoints = at(`server/audit/${month}`);
    const whole = await verify('log.ndjson', '--checkpoints', at('server/audit'));
    expect([whole.code, whole.out]).toEqual([0, expect.stringMatching(/are unchanged; [1-9]\d* checkpoints agree/u)]);

    await mkdir(at('no-checkpoints'));
    const unproven = await verify('log.ndjson', '--checkpoints', at('no-checkpoints'));
    expect([unproven.code, unproven.out, unproven.err]).toEqual([
      1,
      '',
      expect.stringContaining('contains no checkpoint of this log'),
    ]);

    const lines = (await readFile(at('log.ndjson'), 'utf8')).split('\n');
    await writeFile(at('changed.ndjson'), lines.with(1, lines[1]!.replace('"actorRole":"', '"actorRole":"x')).join('\n'));
    expect(await verify('changed.ndjson')).toMatchObject({ code: 1, err: expect.stringContaining('Entry 1 was changed') });
    const signed = await readFile(checkpoints, 'utf8');
    await writeFile(at('forged.ndjson'), signed.replaceAll(/"seq":\d+/gu, '"seq":1'));
    const forged = await verify('log.ndjson', '--checkpoints', at('forged.ndjson'));
    expect([forged.code, forged.err]).toEqual([1, expect.stringContaining('was changed')]);

    const id = '0'.repeat(64);
    await writeFile(at('unknown.ndjson'), signed.replaceAll(/"key":"[0-9a-f]{64}"/gu, `"key":"${id}"`));
    const unknown = await verify('log.ndjson', '--checkpoints', at('unknown.ndjson'));
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining(`was signed with the key ${id}, which is not in`)]);
    expect(unknown.err).not.toContain('was changed');
    await writeFile(at('0.1.0.ndjson'), signed.replaceAll(/,"key":"[0-9a-f]{64}"/gu, ''));
    expect((await verify('log.ndjson', '--checkpoints', at('0.1.0.ndjson'))).code).toBe(0);
    const own = await readFile(at('audit.pem'), 'utf8');
    await writeFile(at('audit.pem'), (await readFile(at('keys/firmware-key.pub.pem'), 'utf8')) + own);
    expect((await verify('log.ndjson', '--checkpoints', at('server/audit'))).code).toBe(0);
    await writeFile(at('audit.pem'), await readFile(at('keys/firmware-key.pub.pem'), 'utf8'));
    const unnamed = await verify('log.ndjson', '--checkpoints', at('0.1.0.ndjson'));
    expect(unnamed.err).toContain('was changed, or signed with a key that is not in the file of --key');
    const unwritable = expect.stringMatching(/^highline: .*missing\/.* could not be saved: ENOENT[^\n]*\n$/u);
    const lost = await run(['audit', 'export', ...who, at('missing/log.ndjson')], password);
    expect([lost.code, lost.out, lost.err]).toEqual([1, '', unwritable]);
    const keyless = await run(['audit', 'export', ...who, '--key-out', at('missing/audit.pem'), at('log.ndjson')], password);
    expect([keyless.code, keyless.err]).toEqual([1, unwritable]);
    const user = await run(['audit', 'export', '--server', server.url, '--email', 'user@highline.demo', at('x')], password);
    expect([user.code, user.err]).toEqual([1, expect.stringContaining('Permission denied')]);
  });

  test('HKS-03-partial it makes any call by API key: rows, all pages, files, changes once, and says what is wrong', async () => {
    const body = { email: 'admin@highline.demo', password: 'highline-demo' };
    const { result } = await new Client({ server: server.url }).call('accounts.signIn', { body });
    const operations = ['devices.list', 'devices.export', 'groups.create', 'groups.list', 'configs.upload'];
    const person = new Client({ server: server.url, key: result.vap });
    const { secret } = await person.call('apiKeys.create', { body: { name: 'Command line', operations } });
    const api = (...line: string[]) => run(['api', ...line], { HIGHLINE_URL: server.url, HIGHLINE_API_KEY: secret });

    const page = await api('devices', 'list', '--limit', '2', '--sort', 'serial');
    expect([page.code, page.err]).toEqual([0, '']);
    const { result: first, total } = JSON.parse(page.out) as { result: { serial_number: string }[]; total: number };
    expect([first.length, total > 2]).toEqual([2, true]);
    const all = (await api('devices', 'list', '--limit=5', '--sort', 'serial', '--all')).out.trim().split('\n');
    expect(all.length).toBe(total);
    expect(all.slice(0, 2).map((line) => (JSON.parse(line) as { serial_number: string }).serial_number)).toEqual(
      first.map(({ serial_number: serial }) => serial),
    );

    expect((await api('devices', 'export', '--out', at('devices.csv'))).out).toContain('devices.csv');
    expect((await readFile(at('devices.csv'), 'utf8')).trim().split('\n').length).toBe(total + 1);
    const create = () => api('groups', 'create', '--name', 'Made by a program', '--tags', 'a,b', '--once', 'group-1');
    const [made, again] = [await create(), await create()];
    expect([made.code, again.code, again.out]).toEqual([0, 0, made.out]);
    expect(JSON.parse(made.out)).toMatchObject({ result: { groupName: 'Made by a program', tags: ['a', 'b'] } });
    await writeFile(at('router.cfg'), 'apn=fleet');
    const uploaded = await api('configs', 'upload', '--file', at('router.cfg'), '--note', 'By key');
    expect(JSON.parse(uploaded.out)).toMatchObject({ result: { name: 'router.cfg', note: 'By key', size: 9 } });

    const wrong = await Promise.all([
      api('devices', 'list', '--limit', 'many'),
      api('devices', 'delete', '--body', '{}'),
      api('devices', 'list', '--colour', 'red'),
      api('devices', 'paint'),
      api('groups', 'create', '--body', 'x'),
      api('configs', 'upload', '--file', at('nowhere')),
      run(['api', 'devices', 'list'], { HIGHLINE_URL: server.url }),
    ]);
    expect(wrong.map(({ code, out, err }) => [code, out, err.split('\n')[0]])).toEqual([
      [1, '', expect.stringMatching(/^highline: limit: /u)],
      [1, '', 'highline: This API key is not allowed to make this call. Create one with this operation.'],
      [2, '', "highline: no field 'colour'. See --help of this call."],
      [2, '', expect.stringMatching(/^highline: no call 'devices paint'\. Calls: .*list/u)],
      [2, '', 'highline: --body: expected JSON'],
      [1, '', expect.stringContaining('nowhere cannot be read.')],
      [2, '', 'highline: the API key is missing: set HIGHLINE_API_KEY'],
    ]);
    expect((await run(['api', 'groups', 'create', '--help'])).out).toMatch(/--name <string>[^]+--tags <JSON>/u);
  });

  test("FWR-02-partial it passes on the server's errors, and detects local faults by itself", async () => {
    await sign('strange', undefined, '3.0.1');
    await writeFile(at('large'), '');
    await truncate(at('large'), 300 * 1_048_576);
    const unsigned = ['--unsigned', '--model', 'Other', '--version', '1'];
    const responses = [
      await upload('strange'),
      await upload('trusted', ['--version', '9.9']),
      await upload('payload'),
      await upload('payload', ['--unsigned']),
      await upload('large', unsigned),
      await upload('image', [], 'wrong password'),
    ];
    expect(responses.map(({ code }) => code)).toEqual([1, 1, 1, 2, 1, 1]);
    expect(responses.map(({ err }) => err.split('\n')[0]!.replaceAll(folder, ''))).toEqual([
      'highline: This image is not signed with a trusted key.',
      'highline: The image was signed for version 3.0.0 of model HL-R520 5G.',
      'highline: /payload has no signature. Sign it, or use --unsigned.',
      'highline: --model and --version are needed for an image without a trailer',
      'highline: The file is larger than 256 MB.',
      'highline: Wrong email or password.',
    ]);
    expect((await upload('payload', unsigned)).code).toBe(0);
    expect(await catalogue()).toContainEqual(expect.objectContaining({ profile: 'Other', signedBy: null }));
  });

  test('FWR-02-partial a server killed in the middle of an upload has nothing of it in its catalogue, and accepts it afterwards', async () => {
    await sign('killed', at('server/demo-signing-key.pem'), '3.1.0');
    const blobs = await readdir(at('server/blobs'));
    const body = JSON.stringify({ email: 'main@highline.demo', password: 'highline-demo' });
    const headers = { 'content-type': 'application/json' };
    const signedIn = await fetch(`${server.url}/dmp_aa/api/v1/auth/token`, { method: 'POST', headers, body });
    const { result } = (await signedIn.json()) as { result: { vap: string } };
    const sent = request(`${server.url}/data_manager/v1/dm/firmware`, {
      method: 'POST',
      headers: { authorization: `Bearer ${result.vap}`, 'content-type': 'multipart/form-data; boundary=b' },
    });
    const ended = once(sent, 'error');
    sent.write('--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n');
    sent.write((await readFile(at('killed'))).subarray(0, 200_000));
    await until(async () => (await readdir(at('server/uploads'))).length === 1);
    await server.kill();
    await ended;
    expect(await readdir(at('server/blobs'))).toEqual(blobs);
    await server.start();
    expect((await catalogue()).map(({ version }) => version)).not.toContain('3.1.0');
    expect((await upload('killed')).code).toBe(0);
  });

  test('NOD-06-partial backup of a running server with an embedded database, restored in another folder and served from there', async () => {
    const settings = async (dataDir: string) => ({
      PUBLIC_URL: 'https://fleet.example.com',
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: 'none',
      DATABASE_URL: '',
      HIGHLINE_MASTER_KEY: (await readFile(at('server/master-key'), 'utf8')).trim(),
      HIGHLINE_DATA_DIR: at(dataDir),
    });
    const before = await catalogue();
    const copied = await spawnWith(await settings('server'), ['backup', '--to', at('backup')]);
    expect([copied.code, copied.err]).toEqual([0, '']);
    const used = await spawnWith(await settings('server'), ['restore', '--from', at('backup')]);
    expect([used.code, used.err]).toEqual([1, expect.stringContaining('uses this folder')]);
    // As before a rotation begins.
    const { HIGHLINE_MASTER_KEY: key, ...others } = await settings('unused');
    const inRotation = { ...others, HIGHLINE_MASTER_KEY: randomBytes(32).toString('hex'), HIGHLINE_MASTER_KEY_PREVIOUS: key };
    const checked = await spawnWith(inRotation, ['verify', '--restore', '--from', at('backup')]);
    expect([checked.code, checked.out]).toEqual([0, expect.stringContaining('Restored into a temporary database')]);
    const done = await spawnWith(await settings('restored'), ['restore', '--from', at('backup')]);
    expect([done.code, done.err]).toEqual([0, '']);
    expect(await readdir(at('restored/audit'))).toEqual(await readdir(at('server/audit')));

    await server.stop();
    for (const name of ['master-key', 'demo-signing-key.pem'])
      await writeFile(at(`restored/${name}`), await readFile(at(`server/${name}`)), { mode: 0o600 });
    server = await startServerProcess(at('restored'));
    expect(await catalogue()).toEqual(before);
    const who = ['--server', server.url, '--email', 'admin@highline.demo', '--key-out', at('restored.pem')];
    expect((await run(['audit', 'export', ...who, at('restored.ndjson')], { HIGHLINE_PASSWORD: 'highline-demo' })).code).toBe(0);
    const compared = ['--key', at('restored.pem'), '--checkpoints', at('backup/audit')];
    const log = await run(['audit', 'verify', ...compared, at('restored.ndjson')]);
    expect([log.code, log.out]).toEqual([0, expect.stringMatching(/are unchanged; [1-9]\d* checkpoints agree/u)]);
  });

  test('FWR-02-partial it reports when there is no server', async () => {
    const { code, err } = await run([
      'firmware',
      'upload',
      '--server',
      'http://127.0.0.1:9',
      '--email',
      'a@b.invalid',
      '--password',
      'x',
      at('image'),
    ]);
    expect([code, err]).toEqual([1, expect.stringContaining('http://127.0.0.1:9 cannot be reached')]);
  });
});
