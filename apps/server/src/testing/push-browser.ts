import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A browser: its keys, and how it reads a message (RFC 8291). */
export function createPushBrowser() {
  const keys = createECDH('prime256v1');
  const [point, auth] = [keys.generateKeys(), randomBytes(16)];
  return {
    keys: { p256dh: point.toString('base64url'), auth: auth.toString('base64url') },
    read(bytes: Buffer): unknown {
      const [salt, length] = [bytes.subarray(0, 16), bytes.readUInt8(20)];
      const sender = bytes.subarray(21, 21 + length);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, sender]);
      const input = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
      const derived = (purpose: string, size: number) =>
        Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${purpose}\0`, size));
      const record = bytes.subarray(21 + length);
      const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
      decipher.setAuthTag(record.subarray(-16));
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString('utf8'));
    },
  };
}
