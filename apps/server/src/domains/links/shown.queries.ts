// Reads tables of other domains: devices, groups.
import { links as calls } from '@highline/contract';
import { sql } from 'kysely';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Reader } from '../../platform/listing/index.ts';
import { devicesOf, intervalOfDevice, newestPosition } from '../devices/index.ts';

/** A link as its page and its job read it. */
export interface FoundLink {
  readonly id: string;
  readonly main_account_id: string;
  readonly organization_id: string;
  readonly device_id: string | null;
  readonly group_key: string | null;
  readonly shows_names: boolean;
  readonly author: Actor;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

export const linkColumns = sql`l.id, l.main_account_id, l.organization_id, l.device_id, l.group_key, l.shows_names, l.author, l.expires_at, l.ended_at`;

/** The scope of a link: what it shows is looked up within it each time. */
export const scopeOf = ({ main_account_id: mainAccountId, organization_id: organizationId }: FoundLink): OrganizationScope => ({
  kind: 'organization',
  mainAccountId,
  organizationId,
});

/** The link with a token, by its hash; its holder has no other scope. */
export async function findLinkByToken(reader: Reader, tokenHash: Buffer): Promise<FoundLink | undefined> {
  const [link] = await reader.rows<FoundLink>(sql`select ${linkColumns} from links l where l.token_hash = ${tokenHash}`, true);
  return link;
}

/** Vehicle number or name of the group that a link shows, '' for a vehicle without a number; undefined = it is gone. */
export async function findShown(reader: Reader, scope: OrganizationScope, link: FoundLink): Promise<string | undefined> {
  const [row] = await reader.rows<{ name: string }>(
    link.device_id === null
      ? sql`select g.name from groups g where g.organization_id = ${scope.organizationId}::uuid and g.key = ${link.group_key}`
      : sql`select d.vehicle_number as name from devices d where d.id = ${link.device_id}::uuid and ${devicesOf(scope)}`,
    true,
  );
  return row?.name;
}

/** A vehicle and where it is. */
export interface ShownVehicle {
  readonly vehicle_number: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Epoch seconds. */
  readonly at: number;
}

/**
 * Where the vehicles of a link are, in the order of their devices; one more than `MOST_SHOWN` if there are more. A position that is 500 km or more
 * from the one before is left out, as in feeds: it is probably wrong, and its readers could not see that.
 */
export async function listShown(reader: Reader, scope: OrganizationScope, link: FoundLink): Promise<ShownVehicle[]> {
  const isShown = link.device_id === null ? sql`d.group_key = ${link.group_key}` : sql`d.id = ${link.device_id}::uuid`;
  return reader.rows<ShownVehicle>(
    sql`select d.vehicle_number, p.latitude, p.longitude, floor(extract(epoch from p.at))::float8 as at
      from devices d join (${newestPosition}) on ${intervalOfDevice}
      where ${devicesOf(scope)} and ${isShown} and not p.is_jump order by d.id limit ${calls.MOST_SHOWN + 1}`,
    true,
  );
}
