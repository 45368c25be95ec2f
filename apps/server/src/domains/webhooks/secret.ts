import { createHmac, randomBytes } from 'node:crypto';
import { createSealing, type MasterKey, type Sealing } from '../../kernel/index.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Encrypts signing secrets under the master key, each for its own webhook. */
export function createSecretSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline webhooks');
}

/** Secrets that are kept opened: of so many endpoints that are called again and again. */
const MOST_OPENED = 1_000;

/** The same, which keeps what it opened last: an endpoint signs many calls with one secret, and opening costs more than signing. */
export function keepOpened(sealing: Sealing): Sealing {
  const opened = new Map<string, Buffer>();
  return {
    ...sealing,
    open(owner, sealed) {
      const key = `${owner} ${Buffer.from(sealed).toString('base64')}`;
      const secret = opened.get(key) ?? sealing.open(owner, sealed);
      if (opened.size >= MOST_OPENED) opened.clear();
      opened.set(key, secret);
      return secret;
    },
  };
}

/** A new signing secret: `whsec_` and 32 bytes in base64, as Standard Webhooks has it. */
export function mintSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** A message as it is signed. */
export interface SignedMessage {
  /** Header webhook-id. */
  readonly id: string;
  /** Header webhook-timestamp: seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Header webhook-signature: HMAC-SHA256 over id, timestamp and body by each secret (Standard Webhooks, v1). */
export function signatureOf({ id, timestamp, body }: SignedMessage, secrets: readonly string[]): string {
  const signed = `${id}.${timestamp}.${body}`;
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
    })
    .join(' ');
}
