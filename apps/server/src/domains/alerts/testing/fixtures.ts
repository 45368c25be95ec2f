import type { Tenant } from '../../../testing/tenants.ts';
import { listOf, type Fixture, type Fixtures } from '../../../testing/fixture.ts';

/** A rule as it is saved. */
const ruleOf = (name: string) => ({
  name,
  enabled: true,
  severity: 'warning',
  condition: { kind: 'reading', reading: 'rsrp', operator: 'below', threshold: -110, clear: -105 },
  forSeconds: 60,
  scope: { kind: 'all' },
  hours: null,
  channels: { mails: [], escalation: null, quiet: null },
});

/** A browser as it registers; its keys were made for this test. */
const browser = {
  endpoint: 'https://push.example.com/send/abc',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
/** The address of the user of a tenant, who may change only the own entry. */
const ownMail = ({ canaries }: Tenant) => `user-${canaries[0]!}@highline.invalid`.toLowerCase();
const locale = { language: 'en-US', zone: 'America/Chicago' };

const withPerson: NonNullable<Fixture['prepare']> = async (tenant, _, { owner }) => {
  await owner.query(
    `insert into alert_people (organization_id, mail, severities, channels, language, zone, updated_at)
     values ($1, $2, '{critical}', '{mail}', 'en-US', 'UTC', now()) on conflict do nothing`,
    [tenant.organizationId, ownMail(tenant)],
  );
};

/** One browser of each person. */
const withBrowsers: NonNullable<Fixture['prepare']> = async ({ organizationId, mainAccountId, users }, _, { owner }) => {
  for (const account of Object.values(users))
    await owner.query(
      `insert into webhook_endpoints (id, main_account_id, organization_id, name, url, format, event_types, is_enabled, sealed_secret,
         created_by_email, created_at, updated_at, account_id, language)
       values (gen_random_uuid(), $1, $2, 'Browser', $3, 'push', '{}', true, '', 'x@y.invalid', now(), now(), $4, 'en-US')`,
      [mainAccountId, organizationId, browser.endpoint, account],
    );
};

export const fixtures: Fixtures = {
  'alertPeople.list': listOf(ownMail),
  'alertPeople.save': {
    names: 'organization',
    make: (tenant) => ({
      body: {
        org: tenant.organizationId,
        mail: ownMail(tenant),
        severities: ['critical'],
        hours: null,
        channels: ['mail'],
        ...locale,
      },
    }),
    shows: () => '"severities":["critical"]',
  },
  'alertPeople.delete': {
    names: 'organization',
    make: (tenant) => ({ body: { org: tenant.organizationId, mails: [ownMail(tenant)] } }),
    prepare: withPerson,
    shows: () => '"deleted":1',
  },
  'alertPeople.pushKey': listOf(() => '"publicKey":"B'),
  'alertPeople.addBrowser': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, ...browser, ...locale } }),
    shows: () => '"push"',
  },
  'alertPeople.removeBrowser': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, endpoint: browser.endpoint } }),
    prepare: withBrowsers,
    shows: () => '"deleted":1',
  },
  'alertPeople.testPush': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org } }),
    shows: () => '"browsers":',
  },
  'alerts.actions': listOf(({ name }) => `Rule of ${name}`),
  'alerts.exportActions': listOf(({ name }) => `Rule of ${name}`),
  'alerts.rules': listOf(({ name }) => `Rule of ${name}`),
  'alerts.addRule': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, ...ruleOf('Another rule') } }),
    shows: () => '"name":"Another rule"',
  },
  'alerts.saveRule': {
    names: 'ids',
    make: ({ organizationId: org }, { alert }) => ({ params: { rule: alert.ruleId }, body: { org, ...ruleOf('Renamed rule') } }),
    shows: () => '"name":"Renamed rule"',
  },
  'alerts.deleteRule': {
    names: 'ids',
    make: ({ organizationId: org }, { alert }) => ({ params: { rule: alert.ruleId }, query: { org } }),
    shows: () => '"deleted":1',
  },
  'alerts.replay': {
    names: 'organization',
    make: ({ organizationId: org }) => {
      const { condition, forSeconds, scope, hours } = ruleOf('Replayed rule');
      return { body: { org, condition, forSeconds, scope, hours } };
    },
    shows: () => '"replayed":true',
  },
  'alerts.list': listOf(({ alert }) => alert.id),
  'alerts.export': listOf(({ name }) => `Rule of ${name}`),
  'alerts.count': listOf(() => '"firing":'),
  'alerts.acknowledge': {
    names: 'ids',
    make: ({ organizationId: org }, { alert }) => ({ body: { org, alerts: [alert.id], note: 'Seen' } }),
    shows: () => '"acknowledged":1',
  },
};
