import type { Tenant } from '../../../testing/tenants.ts';
import { nothing, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

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

/** A saved summary under the id of the tenant's device, with the tenant's name. Its recipient has confirmed, so no question is mailed while calls are watched. */
const stored: Pick<Fixture, 'prepare'> = {
  prepare: async ({ mainAccountId, organizationId, deviceId, name }, _seeding, { owner }) => {
    await owner.query(
      `with confirmed as (insert into summary_addresses (owner_id, mail, created_at, confirmed_at)
         values ($3, 'someone@example.com', now(), now()) on conflict do nothing)
       insert into summaries (id, main_account_id, organization_id, name, kind, format, zone, language, every, on_day, hour, recipients, author,
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

/** A JPEG of one pixel. */
const logo = Uint8Array.from(
  Buffer.from(
    `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=`,
    'base64',
  ),
);
const settings: Fixture = {
  names: 'organization',
  make: ({ organizationId: org }) => ({ query: { org } }),
  shows: () => '"filesDays":35',
};

export const fixtures: Fixtures = {
  'summaries.answerLink': nothing,
  'summaries.settings': settings,
  'summaries.saveSettings': {
    ...settings,
    make: ({ organizationId: org }) => ({ body: { org, target: 99.5, carrierTargets: [], filesDays: 35 } }),
  },
  'summaries.saveLogo': {
    ...settings,
    make: ({ organizationId: org }) => ({ body: { org }, file: logo }),
    shows: () => '"hasLogo":true',
  },
  'summaries.deleteLogo': { ...settings, make: ({ organizationId: org }) => ({ body: { org } }), shows: () => '"hasLogo":false' },
  'summaries.sentFile': {
    ...stored,
    async prepare(tenant, seeding, server) {
      await stored.prepare?.(tenant, seeding, server);
      await server.owner.query(
        `with file as (insert into mail_files (id, name, type, content, created_at) values (gen_random_uuid(), 'sent.csv', 'text/csv', convert_to($2, 'UTF8'), now())
           returning id)
         insert into summary_runs (summary_id, due_at, state, file_id) select $1, '2026-11-01T12:00:00Z', 'sent', id from file on conflict do nothing`,
        [tenant.deviceId, `Sent by ${tenant.name}`],
      );
    },
    names: 'ids',
    make: ({ organizationId: org }, { deviceId }) => ({
      params: { summary: deviceId },
      query: { org, at: '2026-11-01T12:00:00Z' },
    }),
    shows: ({ name }) => `Sent by ${name}`,
  },
  'summaries.resume': {
    ...stored,
    async prepare(tenant, seeding, server) {
      await stored.prepare?.(tenant, seeding, server);
      await server.owner.query(
        `insert into summary_bounces (owner_id, mail, rejections, last_at, last_error, paused_at)
         values ($1, 'someone@example.com', 3, now(), '', now()) on conflict do nothing`,
        [tenant.organizationId],
      );
    },
    names: 'ids',
    make: (scope, ids) => one(scope, ids, { mail: 'someone@example.com' }),
    shows: named,
  },
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
