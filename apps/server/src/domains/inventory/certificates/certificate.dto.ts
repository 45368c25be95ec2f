import { epochSeconds } from '../../../kernel/calendar.ts';
import type { inventory } from '@highline/contract';
import type { CertificateRow } from './certificates.store.ts';

/** A certificate as the inventory shows it. */
export function toCertificateDto(row: CertificateRow, now: Date): inventory.RouterCertificate {
  return {
    id: row.id,
    serial_number: row.serial_number,
    subject: row.subject,
    endpointId: row.endpoint_id,
    state: stateOf(row, now),
    created: epochSeconds(row.created_at),
    expires: epochSeconds(row.expires_at),
    retires: row.retires_at === null ? null : epochSeconds(row.retires_at),
    revoked: row.revoked_at === null ? null : epochSeconds(row.revoked_at),
    last_used: row.last_used_at === null ? null : epochSeconds(row.last_used_at),
  };
}

function stateOf(row: CertificateRow, now: Date): inventory.RouterCertificate['state'] {
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at <= now) return 'expired';
  if (row.retires_at === null) return 'valid';
  return row.retires_at <= now ? 'replaced' : 'retiring';
}
