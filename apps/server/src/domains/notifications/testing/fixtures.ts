import type { Tenant } from '../../../testing/tenants.ts';
import { listOf, nothing, type Fixtures } from '../../../testing/fixture.ts';

/** An address that gets a tenant's notifications. */
const recipientOf = (tenant: Tenant) => `recipient-${tenant.serial.slice(2)}@highline.invalid`.toLowerCase();

export const fixtures: Fixtures = {
  'notifications.bounce': nothing,
  'notifications.list': listOf(recipientOf),
  'notifications.save': {
    names: 'ids',
    make: (scope, ids) => ({
      body: { org: scope.organizationId, mail: 'matrix@highline.invalid', events: ['BATTERY_LOW'], gids: [ids.groupKey] },
    }),
    shows: (tenant) => tenant.groupKey,
  },
  'notifications.delete': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId, mails: [recipientOf(scope)] } }),
    shows: () => '"deleted":1',
  },
  'notifications.test': {
    names: 'organization',
    make: (scope) => ({ body: { org: scope.organizationId } }),
    shows: () => '"outcome":"kept"',
  },
  'notifications.undelivered': listOf((tenant) => tenant.undeliveredMailId),
  'notifications.sendAgain': {
    names: 'ids',
    make: (scope, ids) => ({
      body: {
        org: scope.organizationId,
        ids: scope === ids ? [ids.undeliveredMailId] : [scope.undeliveredMailId, ids.undeliveredMailId],
      },
    }),
    shows: () => '"queued":1',
  },
};
