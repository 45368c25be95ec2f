import type { Tenant } from '../tenants.ts';
import { nothing, type Fixture, type Fixtures } from './fixture.ts';

const input = {
  name: 'Another summary',
  kind: 'inventory',
  format: 'csv',
  zone: 'UTC',
  language: 'en-US',
  every: 'month',
  onDay: 1,
  hour: 6,
  recipients: ['someone@example.com'],
};

/** A saved summary under the id of the tenant's device, with the tenant's name. */
const stored: Pick<Fixture, 'prepare'> = {
  prepare: async ({ mainAccountId, organizationId, deviceId, name }, _seeding, { owner }) => {
    await owner.query(
      `insert into summaries (id, main_account_id, organization_id, name, kind, format, zone, language, every, on_day, hour, recipients, author,
        created_by_email, created_at, updated_at)
       values ($1, $2, $3, $4, 'inventory', 'csv', 'UTC', 'en-US', 'never', 1, 6, '{someone@example.com}', '{}', 'someone@example.com', now(), now())
       on conflict do nothing`,
      [deviceId, mainAccountId, organizationId, `Summary of ${name}`],
    );
  },
};
const named: NonNullable<Fixture['shows']> = ({ name }) => `Summary of ${name}`;
const one = ({ organizationId: org }: Tenant, { deviceId }: Tenant, body: object = {}) => ({
  params: { summary: deviceId },
  body: { org, ...body },
});
const report = (query: Readonly<Record<string, string>>): Fixture => ({
  names: 'organization',
  make: (scope) => ({ query: { org: scope.organizationId, kind: 'inventory', ...query } }),
  shows: ({ serial }) => serial,
});

export const summaryFixtures: Fixtures = {
  'summaries.answerLink': nothing,
  'summaries.preview': report({}),
  'summaries.file': report({ format: 'csv' }),
  'summaries.list': {
    ...stored,
    names: 'organization',
    make: (scope) => ({ query: { org: scope.organizationId } }),
    shows: named,
  },
  'summaries.create': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, ...input } }),
    shows: () => '"name":"Another summary"',
  },
  'summaries.save': {
    ...stored,
    names: 'ids',
    make: (scope, ids) => one(scope, ids, input),
    shows: () => '"name":"Another summary"',
  },
  'summaries.send': { ...stored, names: 'ids', make: (scope, ids) => one(scope, ids), shows: ({ deviceId }) => deviceId },
  'summaries.delete': { ...stored, names: 'ids', make: (scope, ids) => one(scope, ids), shows: () => '"deleted":1' },
};
