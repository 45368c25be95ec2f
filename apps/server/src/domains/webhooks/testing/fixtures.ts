import { listOf, type Fixtures, type Fixture } from '../../../testing/fixture.ts';

const input = { name: 'Another bot', url: 'https://example.com/hooks', events: ['device.added'], enabled: false };

/** A change of the webhook; `shows` is part of the response. */
const change = (shows: NonNullable<Fixture['shows']>, prepare?: Fixture['prepare']): Fixture => ({
  names: 'ids',
  make: ({ organizationId: org }, { webhook }) => ({ params: { webhook: webhook.id }, body: { org } }),
  shows,
  ...(prepare !== undefined && { prepare }),
});

export const fixtures: Fixtures = {
  'webhooks.list': listOf(({ webhook }) => webhook.id),
  'webhooks.show': {
    names: 'ids',
    make: ({ organizationId: org }, { webhook }) => ({ params: { webhook: webhook.id }, query: { org } }),
    shows: ({ webhook }) => webhook.id,
  },
  'webhooks.events': listOf(() => '"device.online"'),
  'webhooks.create': {
    names: 'organization',
    make: ({ organizationId: org }) => ({ body: { org, ...input } }),
    shows: () => '"secret":"whsec_',
  },
  'webhooks.save': {
    names: 'ids',
    make: ({ organizationId: org }, { webhook }) => ({ params: { webhook: webhook.id }, body: { org, ...input } }),
    shows: () => '"name":"Another bot"',
  },
  'webhooks.rotate': change(() => '"secret":"whsec_'),
  'webhooks.suspend': change(() => '"state":"off"'),
  'webhooks.resume': change(
    () => '"suspendedAt":null',
    async ({ webhook }, _, { owner }) => {
      await owner.query('update webhook_endpoints set suspended_at = now() where id = $1', [webhook.id]);
    },
  ),
  'webhooks.deliveries': {
    names: 'ids',
    make: ({ organizationId: org }, { webhook }) => ({ params: { webhook: webhook.id }, query: { org } }),
    shows: ({ webhook }) => webhook.deliveryId,
  },
  'webhooks.delivery': {
    names: 'ids',
    make: ({ organizationId: org }, { webhook }) => ({
      params: { webhook: webhook.id, delivery: webhook.deliveryId },
      query: { org },
    }),
    shows: ({ name }) => name,
  },
  'webhooks.resend': {
    names: 'ids',
    make: ({ organizationId: org }, { webhook }) => ({
      params: { webhook: webhook.id, delivery: webhook.deliveryId },
      body: { org },
    }),
    shows: () => '"state":"waiting"',
  },
  'webhooks.test': change(
    () => '"type":"webhook.test"',
    async ({ webhook, organizationId: org, bearers }, _, { url }) => {
      // Its secret is sealed by this server from now on.
      await fetch(`${url}/data_manager/v1/dm/webhooks/${webhook.id}/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearers.admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({ org, overlapHours: 0 }),
      });
    },
  ),
  'webhooks.delete': {
    names: 'ids',
    make: ({ organizationId: org }, { webhook }) => ({ params: { webhook: webhook.id }, body: { org } }),
    shows: () => '"deleted":1',
  },
};
