import type { alerts } from '@highline/contract';
import { countPerson } from '../domains/accounts/index.ts';
import { addRule } from '../domains/alerts/index.ts';
import type { Actor, OrganizationScope } from '../kernel/index.ts';
import { createReader } from '../platform/listing/index.ts';
import type { Clock, Database } from '../platform/ports/index.ts';

const usual = {
  enabled: true,
  scope: { kind: 'all' as const },
  hours: null,
  channels: { mails: [], escalation: null, quiet: null },
};

/** Whom the rules of an organization inform, and how fast the demo passes. */
export interface RuleChannels {
  readonly mails?: readonly string[];
  /** Ids. */
  readonly webhooks?: readonly string[];
  readonly pace?: number;
}

/** Longer than its routers restart, shorter than its carrier is away. */
const LOST_SECONDS = 120;

/** Fires for each vehicle of a carrier that is away: together a storm, which is one message (ALR-06). */
function lostRule({ mails = [], webhooks = [], pace = 1 }: RuleChannels): alerts.RuleInput {
  return {
    ...usual,
    name: 'Vehicle lost',
    severity: 'critical',
    condition: { kind: 'offline' },
    forSeconds: Math.ceil(LOST_SECONDS / pace),
    channels: { ...usual.channels, mails: [...mails], webhooks: [...webhooks] },
  };
}

/** The first admin is informed of what no one else is. */
const firstAdmin = { ...usual.channels, firstAdmin: true };

/** The other alert rules of an organization: subscriptions and signals of the demo's vehicles make some of them fire by themselves. */
const rules: readonly alerts.RuleInput[] = [
  {
    ...usual,
    name: 'Weak signal',
    severity: 'warning',
    condition: { kind: 'reading', reading: 'rsrp', operator: 'below', threshold: -118, clear: -112 },
    forSeconds: 60,
    channels: firstAdmin,
  },
  {
    ...usual,
    name: 'Subscription ends soon',
    severity: 'info',
    condition: { kind: 'subscription-ends', days: 14 },
    forSeconds: 0,
    channels: firstAdmin,
  },
];

/** Fires when a vehicle leaves this area of the demo, and ends when it is back. */
const LEFT_AREA = 'North depot';

async function leavingRule(
  database: Database,
  scope: OrganizationScope,
  { webhooks = [] }: RuleChannels,
): Promise<alerts.RuleInput | undefined> {
  const area = await database.read
    .selectFrom('geofences')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where('name', '=', LEFT_AREA)
    .executeTakeFirst();
  if (area === undefined) return undefined;
  const condition = { kind: 'geofence' as const, event: 'left' as const, geofence: area.id };
  const channels = { ...usual.channels, webhooks: [...webhooks] };
  return { ...usual, name: 'Left the depot', severity: 'info', condition, forSeconds: 0, channels };
}

/** Add them as a user would, after the areas. */
export async function seedAlertRules(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: OrganizationScope,
  actor: Actor,
  channels: RuleChannels = {},
): Promise<void> {
  const deps = { database, clock, reader: createReader(database), expiringDays: 30, countPerson };
  const leaving = await leavingRule(database, scope, channels);
  const all = [lostRule(channels), ...rules, ...(leaving === undefined ? [] : [leaving])];
  for (const rule of all) await addRule(deps, scope, actor, rule);
}
