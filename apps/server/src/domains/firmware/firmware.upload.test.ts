import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from '../../platform/ports/blobs.ts';
import type { Actor, MainScope } from '../../kernel/scope.ts';
import { createSigner, imageOf } from '../../testing/images.ts';
import { silentLog } from '../../testing/log.ts';
import { MAX_IMAGE_BYTES, sorted, type TestCall, useTestApp } from '../../testing/test-app.ts';
import { reportMissingFirmware, sweepFirmwareBlobs, uploadFirmware } from './index.ts';

const FIRMWARE = '/data_manager/v1/dm/firmware';
const HOUR = 3_600_000;

const app = useTestApp();
let main: MainScope;
let person: Actor;

beforeEach(async () => {
  main = (await app.seeding.mainAccount('Home')).scope;
  person = app.person(main, 'main');
  await app.takeOutbox();
});

const claim = { profile: 'HL-R320', version: '2.9.0' };
const imageFor = (more: { payload?: Uint8Array; model?: string; version?: string } = {}) =>
  app.seeding.image({ model: claim.profile, version: claim.version, ...more });
const upload = (file: TestCall['file'], body: Record<string, string> = {}, more: Partial<TestCall> = {}) =>
  app.call('POST', FIRMWARE, { as: person, file: file!, body: { ...claim, ...body }, ...more });
const list = async (as = person) => (await app.call('GET', FIRMWARE, { as })).json.result;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('an upload to the catalogue', () => {
  test('FWR-02-partial a signed image is stored byte by byte with its hash, its signer and a log entry', async () => {
    const image = imageFor({ payload: randomBytes(2_000_000) });
    const { status, json } = await upload(image, { note: ' Better roaming\nFaster boot ' }, { fileName: 'hl-r320-2.9.0.img' });
    expect([status, json.result]).toEqual([
      200,
      {
        pk: expect.any(String),
        version: '2.9.0',
        profile: 'HL-R320',
        note: 'Better roaming\nFaster boot',
        size: image.length,
        sha256: sha256(image),
        signedBy: expect.stringMatching(/^[0-9a-f]{64}$/u),
        file: 'hl-r320-2.9.0.img',
        created: '2026-11-20T12:00:00.000Z',
        updated: '2026-11-20T12:00:00.000Z',
        groups: 0,
        otaSchedule: null,
        postpone: null,
        group: '',
      },
    ]);
    expect(await list()).toEqual([json.result]);
    const opened = await app.stores.blobs.open(sha256(image));
    expect((await buffer(opened!.stream)).equals(image)).toBe(true);
    expect(await app.logOf(main.mainAccountId)).toEqual(['Uploaded firmware 2.9.0 for HL-R320']);
    expect(await app.takeOutbox()).toMatchObject([{ topic: 'firmware', organization_id: null, ids: [json.result.pk] }]);
  });

  test('FWR-02-partial files that are missing at a start are counted and named in the log', async () => {
    const lines: object[] = [];
    const log = { ...silentLog, error: (fields: object) => void lines.push(fields) };
    const image = imageFor();
    await upload(image);
    const report = () => reportMissingFirmware(app.database, app.stores.blobs, log);
    const before = await report();
    await app.stores.blobs.delete(sha256(image));
    expect(await report()).toBe(before + 1);
    expect(lines.at(-1)).toMatchObject({ missing: before + 1, firmware: expect.arrayContaining(['HL-R320 2.9.0']) });
  });

  const unrelated = createSigner();
  const cut = (image: Buffer<ArrayBuffer>, from: number, to: number) =>
    Buffer.concat([image.subarray(0, from), image.subarray(to)]);
  const changed = (image: Buffer<ArrayBuffer>, at: number) => {
    const copy = Buffer.from(image);
    copy[at] = copy[at]! ^ 1;
    return copy;
  };
  const rejected: [string, () => Buffer<ArrayBuffer>, Record<string, string>, number, string, string?][] = [
    ['an empty file', () => Buffer.alloc(0), {}, 400, 'firmware.empty', 'file'],
    ['a file above the limit', () => Buffer.alloc(MAX_IMAGE_BYTES + 1), {}, 413, 'firmware.too_large', 'file'],
    ['a file far above the limit', () => Buffer.alloc(4 * MAX_IMAGE_BYTES), {}, 413, 'firmware.too_large', 'file'],
    ['an image that lost bytes in its middle', () => cut(imageFor(), 200, 300), {}, 400, 'firmware.truncated', 'file'],
    [
      'such an image declared to need no signature',
      () => cut(imageFor(), 200, 300),
      { unsigned: 'true' },
      400,
      'firmware.truncated',
    ],
    ['an image that lost its end', () => imageFor().subarray(0, 1_020), {}, 400, 'firmware.unsigned', 'file'],
    ['an image without a signature', () => randomBytes(900), {}, 400, 'firmware.unsigned', 'file'],
    ['an image of one byte', () => Buffer.from('x'), {}, 400, 'firmware.unsigned', 'file'],
    [
      'an image signed with an unknown key',
      () => imageOf(unrelated, { model: 'HL-R320', version: '2.9.0' }),
      {},
      400,
      'firmware.bad_signature',
    ],
    ['an image with one bit changed', () => changed(imageFor(), 17), {}, 400, 'firmware.bad_signature', 'file'],
    [
      'such an image declared to need no signature',
      () => changed(imageFor(), 17),
      { unsigned: 'true' },
      400,
      'firmware.bad_signature',
    ],
    ['an image for another model', () => imageFor({ model: 'HL-R520 5G' }), {}, 400, 'firmware.mismatch', 'profile'],
    ['an image of another version', () => imageFor({ version: '2.9.1' }), {}, 400, 'firmware.mismatch', 'version'],
    ['no version', () => imageFor(), { version: ' ' }, 400, 'request.invalid', 'version'],
    ['no model', () => imageFor(), { profile: '' }, 400, 'request.invalid', 'profile'],
    ['a version of 101 characters', () => imageFor(), { version: '9'.repeat(101) }, 400, 'request.invalid', 'version'],
    ['a version over two lines', () => imageFor(), { version: '2\n9' }, 400, 'request.invalid', 'version'],
    ['a NUL in the notes', () => imageFor(), { note: 'a\0b' }, 400, 'request.invalid'],
  ];
  test.each(rejected)(
    'FWR-02-partial %s is rejected with an explanation and leaves nothing',
    async (_, file, body, status, key, field) => {
      const response = await upload(file(), body);
      expect([response.status, response.json.error.key]).toEqual([status, key]);
      if (field !== undefined) expect(response.json.error.field).toBe(field);
      expect(await list()).toEqual([]);
      expect(await app.logOf(main.mainAccountId)).toEqual([]);
    },
  );

  test('FWR-02-partial the error for another model or version says what the image is for', async () => {
    const { json } = await upload(imageFor({ model: 'HL-R520 5G', version: '3.0' }));
    expect(json.error).toMatchObject({
      message: 'The image was signed for version 3.0 of model HL-R520 5G.',
      detail: { model: 'HL-R520 5G', version: '3.0' },
    });
  });

  test('FWR-02-partial an image without our trailer is accepted if declared as unsigned, and shown as checked by its hash alone', async () => {
    const { json } = await upload(randomBytes(500), { unsigned: 'true' });
    expect(json.result).toMatchObject({ signedBy: null, size: 500 });
  });

  test('FWR-02-partial the same version of a model is accepted once, also when two uploads race; another model has its own', async () => {
    const responses = await Promise.all([upload(imageFor()), upload(imageFor()), upload(imageFor())]);
    expect(sorted(responses.map(({ status }) => status))).toEqual([200, 409, 409]);
    const again = await upload(imageFor());
    expect([again.status, again.json.error.key]).toEqual([409, 'firmware.duplicate']);
    expect((await upload(imageFor({ model: 'HL-R520 5G' }), { profile: 'HL-R520 5G' })).status).toBe(200);
    expect(await list()).toHaveLength(2);
  });

  test.each([
    ['a path', '../../../etc/passwd', 'passwd'],
    ['quotes', 'a "quoted" \'name\'.img', 'a "quoted" \'name\'.img'],
    ['an emoji', '🚌 2.9.img', '🚌 2.9.img'],
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['300 characters', `${'n'.repeat(296)}.img`, `${'n'.repeat(296)}.img`],
    ['5,000 characters', 'n'.repeat(5_000), 'n'.repeat(300)],
  ])('FWR-02-partial a file name that is %s is text and nothing else', async (_, fileName, shown) => {
    const { status, json } = await upload(imageFor(), {}, { fileName });
    expect([status, json.result.file]).toEqual([200, shown]);
  });

  test('FWR-02-partial a form without a file, and one of an admin, are rejected', async () => {
    const none = await app.call('POST', FIRMWARE, {
      as: person,
      body: Buffer.from(
        '--b\r\ncontent-disposition: form-data; name="version"\r\n\r\n1\r\n--b\r\ncontent-disposition: form-data; name="profile"\r\n\r\nm\r\n--b--\r\n',
      ),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect([none.status, none.json.error.key]).toEqual([400, 'firmware.empty']);
    const own = await app.seeding.organization(main, 'Own');
    expect((await upload(imageFor(), {}, { as: app.person(own, 'admin') })).status).toBe(403);
  });
});

describe('the files of the catalogue', () => {
  const later = () => new Date(Date.now() + 2 * HOUR);
  /** The time of the file system, which a moved clock of the process does not change. */
  async function fileTime(): Promise<Date> {
    const folder = await mkdtemp(join(tmpdir(), 'highline-time-'));
    const { mtime } = await stat(folder);
    await rm(folder, { recursive: true });
    return mtime;
  }
  const sweep = (at: Date) => sweepFirmwareBlobs(app.database, app.stores.blobs, at);

  test('FWR-02-partial a file that no catalogue names is deleted after an hour, one that any names stays', async () => {
    const [image, dropped] = [imageFor(), randomBytes(600)];
    await upload(image);
    await upload(dropped, { unsigned: 'true', version: '0.1' });
    const foreignUser = (await app.seeding.mainAccount('Abroad')).scope;
    await upload(image, {}, { as: app.person(foreignUser, 'main') });
    for (const { pk } of await list()) await app.call('DELETE', `${FIRMWARE}/${pk}`, { as: person });
    expect(await list()).toEqual([]);
    await sweep(await fileTime());
    expect(await app.stores.blobs.has(sha256(dropped))).toBe(true);
    await sweep(later());
    expect([await app.stores.blobs.has(sha256(image)), await app.stores.blobs.has(sha256(dropped))]).toEqual([true, false]);
  });

  test('FWR-02-partial a file that is deleted before its row was written leaves no row behind', async () => {
    const { blobs } = app.stores;
    const folder = await mkdtemp(join(tmpdir(), 'highline-swept-'));
    const path = join(folder, 'image');
    await writeFile(path, randomBytes(400));
    const sweptAtOnce: BlobStore = {
      ...blobs,
      async write(content, maxBytes) {
        const written = await blobs.write(content, maxBytes);
        await sweep(later());
        return written;
      },
    };
    const deps = { database: app.database, blobs: sweptAtOnce, clock: app.clock, maxBytes: 1_000, publicKeys: [] };
    const image = { ...claim, unsigned: true, file: { path, bytes: 400, name: 'x' } };
    await expect(uploadFirmware(deps, main, person, image)).rejects.toMatchObject({ key: 'server.busy' });
    expect(await list()).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
