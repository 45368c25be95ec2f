import { listOf, type Fixtures } from './fixture.ts';

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

export const alertFixtures: Fixtures = {
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
