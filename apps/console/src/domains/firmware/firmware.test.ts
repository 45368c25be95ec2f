import { expect, onTestFinished, test, vi } from 'vitest';
import { onSessionLost } from '../../api/client.ts';
import type { ApiError } from '../../api/errors.ts';
import { uploadFirmware } from './firmware.api.ts';
import { cutVersion, formatSize, noteLines, readManifest } from './firmware.ts';

test('FWR-01-partial a version of 30 characters is whole, a longer one its first 27 and an ellipsis', () => {
  expect(cutVersion('x'.repeat(30))).toBe('x'.repeat(30));
  expect(cutVersion('x'.repeat(31))).toBe(`${'x'.repeat(27)}…`);
});

test.each([
  [undefined, '--'],
  [0, '--'],
  [512, '0.50 KB'],
  [1024 * 1024, '1024.00 KB'],
  [1024 * 1024 + 1024, '1.00 MB'],
  [5_500_000, '5.25 MB'],
])('FWR-01-partial %s bytes read %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});

test('FWR-01-partial a literal \\n in release notes is a line break', () => {
  expect(noteLines('one\\ntwo\nthree\r\nfour')).toEqual(['one', 'two', 'three', 'four']);
});

test('FWR-02-partial an image is identified by its footer; any other file is not', async () => {
  const manifest = new TextEncoder().encode(JSON.stringify({ model: 'HL-R520 5G', version: '3.0.0', payloadSize: 9 }));
  const image = new Uint8Array(9 + manifest.length + 64 + 4 + 8);
  image.set(manifest, 9);
  new DataView(image.buffer).setUint32(9 + manifest.length + 64, manifest.length);
  image.set(new TextEncoder().encode('HLIMAGE1'), 9 + manifest.length + 68);
  expect(await readManifest(new Blob([image]))).toEqual({ model: 'HL-R520 5G', version: '3.0.0' });
  for (const other of [image.slice(0, -1), image.slice(40), new Uint8Array(), new Uint8Array(5_000)])
    expect(await readManifest(new Blob([other]))).toBeUndefined();
});

test('FWR-02-partial AUTH-06-partial an upload that finds the session ended leads to the sign-in page as every call does', async () => {
  class Rejected extends EventTarget {
    readonly upload = new EventTarget();
    readonly status = 401;
    readonly response = { error: { code: 401, key: 'session.invalid', message: 'Auth token timeout.' } };
    open() {}
    getResponseHeader() {
      return null;
    }
    send() {
      this.dispatchEvent(new Event('load'));
    }
  }
  vi.stubGlobal('XMLHttpRequest', Rejected);
  const lost: ApiError[] = [];
  onSessionLost((error) => lost.push(error));
  onTestFinished(() => {
    vi.unstubAllGlobals();
    onSessionLost(() => {});
  });
  const upload = { file: new File([], 'image.bin'), version: '3.0.0', profile: 'p', note: '', unsigned: false };
  const sending = uploadFirmware(upload, () => {}, new AbortController().signal);
  await expect(sending).rejects.toMatchObject({ key: 'session.invalid' });
  expect(lost.map(({ key }) => key)).toEqual(['session.invalid']);
});
