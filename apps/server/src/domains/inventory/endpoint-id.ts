import { parseEndpointId } from '@highline/usp';
import { sql } from 'kysely';
import { DomainError } from '../../kernel/failure.ts';

/** The longest endpoint id; TR-369 sets no limit for the authority part. */
const MAX_LENGTH = 200;

/** Whether a router may have this endpoint id: any scheme of TR-369 (Endpoint Identifier). */
export function isEndpointId(text: string): boolean {
  return text.length <= MAX_LENGTH && parseEndpointId(text) !== undefined;
}

/**
 * An endpoint id as typed; undefined for an empty one, which means the default.
 * @throws DomainError `inventory.endpoint_invalid`
 */
export function endpointIdOf(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!isEndpointId(text)) throw new DomainError('inventory.endpoint_invalid', { field: 'endpointId' });
  return text;
}

/**
 * The UDID of a device (DECISIONS, "UDID is one value everywhere"): the endpoint id of its router. For `devices d left join
 * routers r`; a deleted device may outlive its router, and then has the default.
 */
export const udidColumn = sql`coalesce(r.endpoint_id, 'os::' || left(d.mac, 6) || '-' || d.serial) as udid`;
