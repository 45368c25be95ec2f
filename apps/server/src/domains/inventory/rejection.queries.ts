import { isOfAnother, type Rejection, type RejectionReason } from '@highline/contract';
import { sql } from 'kysely';
import type { Scope } from '../../kernel/scope.ts';
import type { Reader } from '../../platform/listing/index.ts';

/** A row of `router_rejections` as a column of its router, times as text. */
export interface RejectionRow {
  readonly at: string;
  readonly reason: RejectionReason;
  readonly received: string | null;
  readonly address: string;
  readonly is_online: boolean;
}

/** Two routers used one identity alternately within this time; as long as they do, it is noted again every ten minutes. */
export const SHARED = '1 hour';

/** Rejections `x` that say something about now. */
export const isCurrentRejection = sql`(x.reason <> 'identity-shared' or x.at > now() - ${SHARED}::interval)`;

/** For `routers r`. */
export const rejectionColumn = sql`(select to_jsonb(x) || jsonb_build_object('is_online', r.presence = 'online')
  from router_rejections x where x.router_id = r.id and ${isCurrentRejection}) as rejection`;

/** The reason of the present rejection of the router of `devices d`. */
export const rejectionOfDevice = sql`(select x.reason from router_rejections x where x.router_id = d.router_id and ${isCurrentRejection})`;

/** The router of `devices d` has a rejection. */
export const isRejectedConnection = sql`d.router_id in (select x.router_id from router_rejections x where ${isCurrentRejection})`;

/** The expected ids in a router's records (TR-369, from_id and to_id). */
export interface ExpectedIds {
  readonly endpointId: string;
  readonly controllerId: string;
}

/** A rejected attempt as the screens show it. */
export function toRejectionDto(row: RejectionRow | null, ids: ExpectedIds): Rejection | null {
  if (row === null) return null;
  const { reason, received, address, is_online: isOnline } = row;
  return {
    at: Math.floor(Date.parse(row.at) / 1_000),
    reason,
    received,
    expected: expectedOf(reason, ids),
    address,
    isOther: isOnline && isOfAnother(reason),
  };
}

function expectedOf(reason: RejectionReason, { endpointId, controllerId }: ExpectedIds): string | null {
  if (reason === 'endpoint') return endpointId;
  return reason === 'controller' ? controllerId : null;
}

/** The last rejected attempt of the router of a device; the device was found within the caller's scope. */
export async function readRejection(
  reader: Reader,
  scope: Scope,
  device: { readonly id: string; readonly router_id: string },
  ids: ExpectedIds,
): Promise<Rejection | null> {
  const [row] = await reader.rows<{ rejection: RejectionRow | null }>(sql`select ${rejectionColumn} from routers r
    where r.id = ${device.router_id}::uuid and r.device_id = ${device.id}::uuid
      and ${scope.kind === 'organization' ? sql`r.organization_id = ${scope.organizationId}::uuid` : sql`r.main_account_id = ${scope.mainAccountId}::uuid`}`);
  return toRejectionDto(row?.rejection ?? null, ids);
}
