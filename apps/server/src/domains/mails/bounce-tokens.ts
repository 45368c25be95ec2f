import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { derivedFrom, type MasterKey } from '../../kernel/sealing.ts';

const PURPOSE = 'highline bounces 1';
const ID_BYTES = 16;
const MAC_BYTES = 10;
/** Of the two at base 36: mail servers may turn the part before the @ into lower case. */
const DIGITS = 41;
const TOKEN = /\+([\da-z]{41})@/iu;

/** The part of an envelope sender that names one mail, and that no one else can make. */
export interface BounceTokens {
  of(mailId: string): string;
  /** The id of the mail whose token an address has; undefined = it has none of ours. */
  mailOf(address: string): string | undefined;
}

/** @param linkKeys the authentication of tokens is derived from them, with a label used for nothing else */
export function createBounceTokens(linkKeys: MasterKey): BounceTokens {
  const keys = derivedFrom(linkKeys, (key) => Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), PURPOSE, 32)));
  const codeOf = (key: Buffer, id: Buffer) => createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);
  return {
    of(mailId) {
      const id = Buffer.from(mailId.replaceAll('-', ''), 'hex');
      return BigInt(`0x${Buffer.concat([id, codeOf(keys.active(), id)]).toString('hex')}`)
        .toString(36)
        .padStart(DIGITS, '0');
    },
    mailOf(address) {
      const bytes = readToken(address);
      if (bytes === undefined) return undefined;
      const [id, code] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
      return keys.all().some((key) => timingSafeEqual(codeOf(key, id), code)) ? uuidOf(id) : undefined;
    },
  };
}

/** Whether an address has the form of those that mails are returned to. */
export const isBounceAddress = (address: string): boolean => TOKEN.test(address);

/** The envelope sender of a mail. @param mailbox where all of them arrive, `bounces@example.com` */
export const addressWith = (mailbox: string, token: string): string => mailbox.replace('@', `+${token}@`);

function readToken(address: string): Buffer | undefined {
  const digits = TOKEN.exec(address)?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  let value = 0n;
  for (const digit of digits) value = value * 36n + BigInt(Number.parseInt(digit, 36));
  const hex = value.toString(16).padStart(2 * (ID_BYTES + MAC_BYTES), '0');
  return hex.length > 2 * (ID_BYTES + MAC_BYTES) ? undefined : Buffer.from(hex, 'hex');
}

function uuidOf(id: Buffer): string {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');
}
