import type { Tenant } from '../../../testing/tenants.ts';
import { nothing, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

/** A link under the id of the tenant's device, with the tenant's name as its note. */
const stored: Pick<Fixture, 'prepare'> = {
  prepare: async ({ mainAccountId, organizationId, deviceId, name }, _seeding, { owner }) => {
    await owner.query(
      `insert into links (id, main_account_id, organization_id, device_id, note, shows_names, token_hash, author, created_by_email, created_at,
         expires_at, looked_at)
       values ($1::uuid, $2, $3, $1::uuid, $4, false, sha256($1::uuid::text::bytea), '{}', 'someone@example.com', now(), now() + interval '1 day', now())
       on conflict do nothing`,
      [deviceId, mainAccountId, organizationId, `Link of ${name}`],
    );
  },
};
const one = ({ organizationId: org }: Tenant, { deviceId }: Tenant) => ({ params: { link: deviceId }, body: { org } });

export const fixtures: Fixtures = {
  'links.open': nothing,
  'links.list': {
    ...stored,
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId } }),
    shows: ({ name }) => `Link of ${name}`,
  },
  'links.create': {
    names: 'ids',
    make: ({ organizationId: org }, { deviceId: device }) => ({ body: { org, device, showsNames: true, hours: 1 } }),
    shows: ({ deviceId }) => deviceId,
  },
  'links.end': { ...stored, names: 'ids', make: one, shows: () => '"deleted":1' },
};
