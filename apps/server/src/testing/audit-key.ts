import { generateKeyPair } from '@highline/image';
import { auditKeyOf, type AuditKey } from '../platform/adapters/audit/key.ts';

/** A new audit key. */
export function newAuditKey(): AuditKey {
  return auditKeyOf(generateKeyPair().privateKey);
}
