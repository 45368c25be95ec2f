import { createPublicKey, createSecretKey, randomBytes, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { arePushKeys, createServerPushKey, derivePushKey, encryptPush, pushKeyPairOf } from './web-push.ts';

test('SAY-05-partial a push message is encrypted as in the example of RFC 8291, appendix A', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  };
  const drawn = {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  };
  expect(arePushKeys(keys)).toBe(true);
  expect(encryptPush('When I grow up, I want to be a watermelon', keys, drawn).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('SAY-05-partial keys of another length, and points off the curve, are none', () => {
  const auth = randomBytes(16).toString('base64url');
  for (const p256dh of ['', 'x', Buffer.alloc(65, 4).toString('base64url'), Buffer.alloc(64).toString('base64url')])
    expect(arePushKeys({ p256dh, auth })).toBe(false);
});

test('SAY-05-partial every process of an installation has one key, whose signature names the origin of the push service', () => {
  const stored = derivePushKey(createSecretKey(Buffer.alloc(32, 7)));
  const [one, other] = [1, 2].map(() => createServerPushKey(pushKeyPairOf(stored), () => 'https://cloud.test'));
  expect(one!.publicKey).toBe(other!.publicKey);
  const now = new Date('2026-11-20T12:00:00Z');
  const header = one!.authorize('https://push.example:8443/send/abc?x=1', now);
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/u.exec(header)!;
  expect(key).toBe(one!.publicKey);
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
    aud: 'https://push.example:8443',
    exp: now.getTime() / 1_000 + 43_200,
    sub: 'https://cloud.test',
  });
  const point = Buffer.from(key!, 'base64url');
  const part = (from: number, until: number) => point.subarray(from, until).toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65) }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  expect(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(pushKeyPairOf(derivePushKey(createSecretKey(Buffer.alloc(32, 8)))).publicKey).not.toBe(key);
});

test('SAY-05-partial a signature is sent again for an hour, to its push service only', () => {
  const subjects = ['https://cloud.test', 'https://cloud.test', 'https://cloud.test', 'https://cloud.test', 'https://moved.test'];
  const key = createServerPushKey(pushKeyPairOf(derivePushKey(createSecretKey(Buffer.alloc(32, 7)))), () => subjects.shift()!);
  const header = (origin: string, minutes: number) => key.authorize(`https://${origin}/send`, new Date(minutes * 60_000));
  const first = header('push.example', 0);
  expect(header('push.example', 59)).toBe(first);
  expect(header('other.example', 59)).not.toBe(first);
  const later = header('push.example', 60);
  expect(later).not.toBe(first);
  expect(header('push.example', 60)).not.toBe(later);
});
