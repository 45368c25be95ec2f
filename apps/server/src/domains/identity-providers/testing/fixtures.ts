import type { Role } from '@highline/contract';
import type { Seeding } from '../../../testing/seeding.ts';
import type { TestServer } from '../../../testing/server.ts';
import type { Tenant } from '../../../testing/tenants.ts';
import { nothing, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

const input = { name: 'Another ID', issuer: 'https://id.example.com/another', clientId: 'highline', clientSecret: 'secret' };

/** The provider that a role changes: that of its own company. */
const ownOf = ({ provider }: Tenant, role?: Role) =>
  role === 'main'
    ? { provider: provider.mainId, domain: provider.mainDomain }
    : { provider: provider.id, domain: provider.domain };

const ofProvider = (shows: NonNullable<Fixture['shows']>, body?: (tenant: Tenant, role?: Role) => object): Fixture => ({
  names: 'main-ids',
  make: (_, ids, role) => ({
    params: { provider: ownOf(ids, role).provider },
    ...(body !== undefined && { body: body(ids, role) }),
  }),
  shows,
});

/** Client secrets that the server can open. */
async function withSecrets(tenant: Tenant, _: Seeding, { url }: Pick<TestServer, 'url'>): Promise<void> {
  for (const role of ['admin', 'main'] as const) {
    const { provider, domain } = ownOf(tenant, role);
    await fetch(`${url}/dmp_aa/api/v1/identityProviders/${provider}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${tenant.bearers[role]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...input, issuer: 'https://id.invalid', domains: [domain] }),
    });
  }
}

export const fixtures: Fixtures = {
  'identityProviders.list': { names: 'nothing', make: () => ({}), shows: ({ provider }) => provider.id },
  'identityProviders.create': { names: 'nothing', make: () => ({ body: input }), shows: () => '"name":"Another ID"' },
  'identityProviders.save': ofProvider(
    () => '"name":"Another ID"',
    (tenant, role) => ({ ...input, domains: [ownOf(tenant, role).domain] }),
  ),
  'identityProviders.delete': ofProvider(() => '"deleted":1'),
  'identityProviders.test': { ...ofProvider(() => '"step":"discovery"'), prepare: withSecrets },
  'identityProviders.confirmDomain': {
    names: 'main-ids',
    make: (_, ids, role) => ({ params: ownOf(ids, role) }),
    shows: () => '"confirmed":"dns"',
  },
  'identityProviders.assignDomain': {
    names: 'main-ids',
    make: (_, { provider: { id, domain } }) => ({ params: { provider: id, domain }, body: { assigned: true } }),
    shows: () => '"confirmed":"assigned"',
  },
  'identityProviders.confirmation': { names: 'nothing', make: () => ({}), shows: () => '"possible":false' },
  'identityProviders.beginConfirmation': { names: 'nothing', make: () => ({ body: {} }), shows: () => '"url":null' },
  'identityProviders.begin': nothing,
  'identityProviders.finish': nothing,
  'identityProviders.logout': nothing,
};
