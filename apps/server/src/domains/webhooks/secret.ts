import { createHmac, randomBytes } from 'node:crypto';
import { createSealing, type MasterKey, type Sealing } from '../../kernel/index.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Encrypts signing secrets under the master key, each for its own webhook. */
export function createSecretSealing(masterKey: MasterKey): Sealing {
  return createSealing(masterKey, 'highline webhooks');
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
