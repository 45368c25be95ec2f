import { sql } from 'kysely';
import { isId } from '../../kernel/ids.ts';
import { manyOf } from '../../platform/listing/index.ts';
import { ADDRESS_LIVES_MS } from './engine/address.ts';
import type { Queries } from '../../platform/ports/database.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A file that a router may download now. */
export interface OpenDownload extends Row<'bindings', 'kind'> {
  readonly organizationId: string;
  readonly endpointId: string;
  /** SHA-256 of the password. */
  readonly hash: Buffer;
  /** SHA-256 of the file. Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Id of a config file, with its version number. */
  readonly configId: string | null;
  readonly configNumber: number | null;
}

/**
 * The downloads of steps that are under way, by step key; a step that is not, or whose address has expired, has none. A
 * router continues when it is back, before we know that it is: an address expires only while its router is connected. There is no scope: the step's key is the permission.
 */
export async function findDownloads(
  queries: Queries,
  stepKeys: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, OpenDownload>> {
  const known = [...new Set(stepKeys)].filter((key) => isId(key));
  if (known.length === 0) return new Map();
  const { rows } = await sql<OpenDownload & { stepKey: string }>`
    select t.step_key as "stepKey", b.kind, b.organization_id as "organizationId", r.endpoint_id as "endpointId",
      t.download_hash as hash, encode(coalesce(f.sha256, v.sha256), 'hex') as sha256, coalesce(f.size, v.size) as size,
      b.config_id as "configId", b.config_number as "configNumber"
    from rollout_targets t
      join bindings b on b.id = t.binding_id and b.ended_at is null
      join routers r on r.id = t.router_id and r.device_id = t.device_id
      left join firmware f on f.id = b.firmware_id
      left join config_versions v
        on v.organization_id = b.organization_id and v.config_id = b.config_id and v.number = b.config_number
    where t.step_key in ${manyOf(known, 'text')} and t.phase = 'sent' and t.download_hash is not null
      and (t.download_until > ${now}::timestamptz or r.presence <> 'online'
        or r.presence_since > ${new Date(now.getTime() - ADDRESS_LIVES_MS)}::timestamptz)`.execute(queries);
  return new Map(rows.map(({ stepKey, ...row }) => [stepKey, row]));
}
