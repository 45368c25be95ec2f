import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprintOf, generateKeyPair, parsePrivateKey, parsePublicKey } from './keys.ts';
import { MAX_TRAILER_BYTES, readTrailer, sealTrailer, verifyTrailer } from './trailer.ts';

const pair = generateKeyPair();
const privateKey = parsePrivateKey(pair.privateKey);
const publicKey = parsePublicKey(pair.publicKey);
const unrelated = parsePublicKey(generateKeyPair().publicKey);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

function imageOf(payload: Uint8Array, model = 'HL-200', version = '2.4.1'): Buffer {
  const trailer = sealTrailer({ model, version, payloadSize: payload.length, payloadSha256: sha256(payload), privateKey });
  return Buffer.concat([payload, trailer]);
}

/** Check a whole file like a server or a router does. */
function check(file: Uint8Array, keys = [publicKey]) {
  const trailer = readTrailer(file.subarray(-MAX_TRAILER_BYTES), file.length);
  if (typeof trailer === 'string') return trailer;
  const signedBy = verifyTrailer(trailer, sha256(file.subarray(0, file.length - trailer.size)), keys);
  return signedBy === undefined ? 'rejected' : { ...trailer.manifest, signedBy };
}

const texts = (maxLength: number) =>
  fc.string({ minLength: 1, maxLength, unit: 'grapheme' }).filter((text) => text.length <= maxLength && !/\p{Cc}/u.test(text));

describe('the signed trailer of an image', () => {
  test('FWR-02-partial any sealed payload, model and version are read back, with the key that signed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 9_000 }), texts(60), texts(100), (payload, model, version) => {
        expect(check(imageOf(payload, model, version), [unrelated, publicKey])).toEqual({
          model,
          version,
          payloadSize: payload.length,
          signedBy: fingerprintOf(publicKey),
        });
      }),
      { numRuns: 60 },
    );
  });

  test('FWR-02-partial the oldest version that may follow is signed with the rest', () => {
    const payload = Buffer.from('a small payload');
    const manifest = { model: 'm', version: '3.0', oldest: '2.5', payloadSize: payload.length };
    const image = Buffer.concat([payload, sealTrailer({ ...manifest, payloadSha256: sha256(payload), privateKey })]);
    expect(check(image)).toEqual({ ...manifest, signedBy: fingerprintOf(publicKey) });
    expect(() => sealTrailer({ ...manifest, oldest: '', payloadSha256: sha256(payload), privateKey })).toThrow(RangeError);
  });

  test('FWR-02-partial every change of one byte of an image is detected', () => {
    const image = imageOf(Buffer.from('a small payload'));
    for (let at = 0; at < image.length; at += 1)
      for (const flip of [0x01, 0x20, 0x80, 0xff]) {
        const changed = Buffer.from(image);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(check(changed), `byte ${at} xor ${flip}`).toBeTypeOf('string');
      }
  });

  test('FWR-02-partial an image truncated anywhere, at its start or its end, is detected', () => {
    const image = imageOf(Buffer.from('a small payload'));
    for (let length = 0; length < image.length; length += 1) {
      expect(check(image.subarray(0, length))).toBeTypeOf('string');
      expect(check(image.subarray(image.length - length))).toBeTypeOf('string');
    }
  });

  test('FWR-02-partial a file without a trailer reads absent, one that lost bytes of its payload damaged', () => {
    const image = imageOf(Buffer.from('a small payload'));
    expect(check(Buffer.from('nothing of ours'))).toBe('absent');
    expect(check(new Uint8Array())).toBe('absent');
    expect(check(image.subarray(3))).toBe('damaged');
    expect(check(Buffer.concat([image, image]))).toBe('damaged');
  });

  test('FWR-02-partial an image of another key is rejected, and without any key nothing is trusted', () => {
    const image = imageOf(Buffer.from('a small payload'));
    expect(check(image, [unrelated])).toBe('rejected');
    expect(check(image, [])).toBe('rejected');
  });

  test('FWR-02-partial any bytes are read without throwing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(5_000), (bytes, size) => {
        const ended = Buffer.concat([bytes, Buffer.from('HLIMAGE1')]);
        expect(typeof readTrailer(bytes, size)).toBe('string');
        expect(readTrailer(ended, ended.length)).toMatch(/absent|damaged/u);
      }),
    );
  });

  test('FWR-02-partial an unreadable manifest is not sealed', () => {
    const base = { model: 'HL-200', version: '1', payloadSize: 1, payloadSha256: sha256(new Uint8Array(1)), privateKey };
    for (const wrong of [
      { model: '' },
      { model: 'x'.repeat(61) },
      { version: 'a\nb' },
      { version: '\ud800' },
      { payloadSize: 0 },
      { payloadSize: 1.5 },
    ])
      expect(() => sealTrailer({ ...base, ...wrong })).toThrow(RangeError);
    expect(() => sealTrailer({ ...base, payloadSha256: new Uint8Array(31) })).toThrow(RangeError);
  });
});
