import type { alerts } from '@highline/contract';
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

/** The alert rules of an organization: subscriptions and signals of the demo's vehicles make some of them fire by themselves. */
const rules: readonly alerts.RuleInput[] = [
  { ...usual, name: 'Vehicle lost', severity: 'critical', condition: { kind: 'offline' }, forSeconds: 900 },
  {
    ...usual,
    name: 'Weak signal',
    severity: 'warning',
    condition: { kind: 'reading', reading: 'rsrp', operator: 'below', threshold: -118, clear: -112 },
    forSeconds: 60,
  },
  {
    ...usual,
    name: 'Subscription ends soon',
    severity: 'info',
    condition: { kind: 'subscription-ends', days: 14 },
    forSeconds: 0,
  },
];

/** Add them as a user would. */
export async function seedAlertRules(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  scope: OrganizationScope,
  actor: Actor,
): Promise<void> {
  const deps = { database, clock, reader: createReader(database), expiringDays: 30 };
  for (const rule of rules) await addRule(deps, scope, actor, rule);
}
