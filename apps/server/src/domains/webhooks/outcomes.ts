import { webhooks } from '@highline/contract';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/index.ts';
import { scopeOfOwner } from '../../platform/resources/resource.ts';
import { recordAudit, sentence, serverActor } from '../logs/index.ts';
import { deleteGone } from './browsers.ts';
import { isGone } from './call.ts';
import { mailSuspension } from './suspension.mail.ts';
import { findOwners, noteHealth, recordOutcomes, type Outcome, type SuspendedEndpoint } from './webhook-delivery.job.queries.ts';

const DAY_MS = 86_400_000;
export interface RecordDeps extends Pick<Deps, 'database' | 'clock'> {
  /** Address of the console, for links in mails. */
  readonly origin: () => string;
}

/** Record calls and what follows from them in one transaction: retries, health of endpoints, suspensions with mail and log entry. */
export async function recordCalls({ database, clock, origin }: RecordDeps, outcomes: readonly Outcome[]): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    await recordOutcomes(tx, outcomes, now);
    const suspendedFrom = new Date(now.getTime() - webhooks.SUSPENDED_AFTER_DAYS * DAY_MS);
    const suspended = await noteHealth(tx, healthOf(outcomes), suspendedFrom, now);
    const ids = [...new Set(outcomes.map(({ delivery }) => delivery.endpoint_id))].toSorted();
    for (const owner of await findOwners(tx, ids)) await announce(tx, scopeOfOwner(owner), 'webhooks', owner.ids);
    await deleteGone(
      tx,
      outcomes.filter(({ delivery, attempt }) => isGone(delivery, attempt)).map(({ delivery }) => delivery.endpoint_id),
    );
    for (const endpoint of suspended) await tellOfSuspension(tx, endpoint, origin(), now);
  });
}

/** Endpoints whose health the outcomes change. One that answered one event works, whatever it made of others. */
function healthOf(outcomes: readonly Outcome[]): { failing: string[]; working: string[] } {
  const working = new Set<string>();
  const failing = new Set<string>();
  for (const { delivery, attempt } of outcomes) (attempt.error === '' ? working : failing).add(delivery.endpoint_id);
  const failed = outcomes.filter(({ delivery }) => delivery.failing_since !== null).map(({ delivery }) => delivery.endpoint_id);
  return {
    failing: [...failing].filter((id) => !working.has(id)).toSorted(),
    working: [...new Set(failed)].filter((id) => working.has(id)).toSorted(),
  };
}

async function tellOfSuspension(tx: Tx, endpoint: SuspendedEndpoint, origin: string, now: Date): Promise<void> {
  const { id, name, url, failing_since: since } = endpoint;
  await mailSuspension(tx, endpoint, origin, now);
  const action = sentence('webhook.suspended_itself', name, webhooks.SUSPENDED_AFTER_DAYS);
  const event = {
    action,
    subject: { kind: 'webhook', id },
    detail: { name, host: new URL(url).host, failingSince: since.toISOString() },
  };
  await recordAudit(tx, endpoint.organization_id ?? endpoint.main_account_id, serverActor, event, now);
}
