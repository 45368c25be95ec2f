import type { alerts } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { type AuditActor, recordAudit, sentence } from '../logs/index.ts';
import { lockActing, type TakenAction } from './alert-actions.job.queries.ts';

/** Actor of entries that the server writes by itself. */
const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

type ActingRule = NonNullable<Awaited<ReturnType<typeof lockActing>>>;

export interface Acting {
  readonly rule: ActingRule;
  readonly action: alerts.RuleAction;
  readonly actor: Actor;
  readonly scope: OrganizationScope;
}

/** Devices that an entry names. */
const NAMED = 20;

export async function recordActions(
  tx: Tx,
  { rule, action, actor, scope }: Acting,
  said: ReturnType<typeof sentence>,
  taken: readonly TakenAction[],
  now: Date,
): Promise<void> {
  const event = {
    action: said,
    subject: { kind: 'alert rule', id: rule.id },
    detail: {
      action: action.does.kind,
      by: actor.email,
      devices: taken.length,
      first: taken.slice(0, NAMED).map(({ serial }) => serial),
    },
    devices: [...new Set(taken.map(({ device_id: id }) => id))],
  };
  await recordAudit(tx, scope.organizationId, itself, event, now);
}
