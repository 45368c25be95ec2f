// Reads tables of other domains: accounts.
import { apiKeys, type accounts } from '@highline/contract';
import { sql } from 'kysely';
import { defineResource } from '../../platform/resources/resource.ts';
import { recordAudit } from '../logs/index.ts';
import { describeLimit, ownRoleColumns } from '../accounts/index.ts';
import { standingOfKey, type MakerRow } from './maker-role.ts';

interface KeyState extends Omit<MakerRow, 'organization_id'> {
  readonly networks: string[];
  readonly revoked_at: Date | null;
  readonly previous_until: Date | null;
  readonly named_limit: accounts.PersonLimit | null;
}

const namedLimit = sql`case when e.limit_tags is not null
  then ${describeLimit(sql`e.limit_tags`, sql`api_key_groups`, sql`lg.key_id = e.id`)} end as named_limit`;

/** API keys of an organization, or of a main account and its organizations (HKS-02). */
export const keys = defineResource({
  table: 'api_keys',
  name: 'api-keys',
  topic: 'apiKeys',
  subject: 'api key',
  record: recordAudit,
  response: apiKeys.apiKey,
  input: apiKeys.createKey.body,
  missing: 'key.not_found',
  limit: {
    most: apiKeys.MOST_KEYS,
    error: 'key.too_many',
    counted: (now) => sql`e.revoked_at is null and (e.expires_at is null or e.expires_at > ${now}::timestamptz)`,
  },
  columns: {
    created: 'created_at',
    by: 'made_by_email',
    expires: 'expires_at',
    lastUsed: 'last_used_at',
    lastAddress: 'last_used_address',
  },
  joined: sql`e.ranges::text[] as networks, e.revoked_at, e.previous_until, a.roles as maker_roles,
    a.organization_id as maker_organization, ${sql.raw(ownRoleColumns)}, ${namedLimit}`,
  joins: sql`left join accounts a on a.id = e.made_by and a.main_account_id = e.main_account_id`,
  read: (reader, statement) => reader.rows<KeyState>(statement, true),
  computed: {
    ranges: ({ networks }) => networks,
    limitedTo: ({ named_limit: limit }) => limit,
    state(row, now) {
      if (row.revoked_at !== null) return 'revoked';
      if (row.expires !== null && new Date(row.expires) <= now) return 'expired';
      return standingOfKey({ ...row, organization_id: row.org }) === undefined ? 'suspended' : 'active';
    },
    previousUntil: ({ previous_until: until }, now) => (until !== null && until > now ? until.toISOString() : null),
  },
});
