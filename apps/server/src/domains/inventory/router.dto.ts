import type { inventory } from '@highline/contract';
import type { Contacts, Row } from '../../platform/ports/index.ts';
import { toRejectionDto, type RejectionRow } from './rejection.queries.ts';
import { isAwaitingUse } from './secret-overlap.ts';

export interface RouterRow extends Row<
  'routers',
  'id' | 'serial' | 'mac' | 'model' | 'endpoint_id' | 'organization_id' | 'device_id' | 'created_at' | 'previous_secret_until'
> {
  readonly organization_name: string | null;
  readonly presence: inventory.Router['presence'];
  readonly last_seen_at: Date | null;
  readonly rejection: RejectionRow | null;
  readonly authentication: inventory.Authentication;
  /** When the last certificate that is not revoked ends, or ended. */
  readonly certificate_ends_at: Date | null;
}

/** The input of a row's derived values. */
export interface RouterContext {
  readonly now: Date;
  readonly contacts: Contacts;
  /** Our endpoint id. */
  readonly controllerId: string;
}

/** The row with the last contact from memory, if its router is connected to this process. */
export function withLatestRouterContact(row: RouterRow, contacts: Contacts): RouterRow {
  const latest = contacts.latest(row.id);
  return latest === undefined || (row.last_seen_at !== null && row.last_seen_at > latest.at)
    ? row
    : { ...row, last_seen_at: latest.at };
}

/** A router as the inventory screen shows it; never its secret. */
export function toRouterDto(stored: RouterRow, { now, contacts, controllerId }: RouterContext): inventory.Router {
  const row = withLatestRouterContact(stored, contacts);
  const { organization_id: organization, previous_secret_until: until } = row;
  return {
    id: row.id,
    serial_number: row.serial,
    mac: row.mac,
    model: row.model,
    endpointId: row.endpoint_id,
    org: organization === null ? null : { id: organization, name: row.organization_name ?? '' },
    device: row.device_id,
    presence: row.presence,
    last_seen: seconds(row.last_seen_at),
    created: row.created_at.toISOString(),
    previousSecretUntil: until !== null && until > now && !isAwaitingUse(until) ? seconds(until) : null,
    awaitsSecretUse: isAwaitingUse(until),
    authentication: row.authentication,
    certificateEnds: row.certificate_ends_at !== null && row.certificate_ends_at > now ? seconds(row.certificate_ends_at) : null,
    rejection: toRejectionDto(row.rejection, { endpointId: row.endpoint_id, controllerId }),
  };
}

function seconds(at: Date | null): number | null {
  return at === null ? null : Math.floor(at.getTime() / 1_000);
}
