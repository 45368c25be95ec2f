import { newId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mailPeople } from '../notifications/index.ts';
import {
  joinStorm,
  listDueBursts,
  lockBurst,
  readChannels,
  saveBurst,
  takeNotices,
  type Burst,
} from './alert-messages.job.queries.ts';
import { deliverMessage } from './alert.events.ts';
import { alertMail } from './alert.mail.ts';
import { endOf, isWithin } from '../../kernel/hours.ts';

export interface MessageDeps extends Pick<Deps, 'database' | 'log'> {
  /** Scheme, name and port of links in mails. */
  readonly origin: () => string;
  /** So many alerts of one rule in one message are a storm (ALR-06); left out: 10. */
  readonly storm?: number;
}

/** Messages of one run. */
const AT_ONCE = 200;
const USUAL_STORM = 10;
/** Alerts that follow a storm within this time belong to it. */
const STORM_GOES_ON_MS = 600_000;
const FIRST_PAUSE_SECONDS = 60;
/** While alerts of a rule go on, the pause between its messages grows up to this. */
const LONGEST_PAUSE_SECONDS = 900;

/**
 * Write the messages that are due: one for all alerts of a rule that fired together, or that no one has acknowledged in time (ALR-05). Notices,
 * throttle, mails and storm are one transaction, under the lock of the throttle.
 */
export async function sendMessages(deps: MessageDeps, now: Date): Promise<void> {
  for (const burst of await listDueBursts(deps.database.read, now, AT_ONCE)) {
    try {
      await deps.database.write((tx) => sendMessage(tx, deps, burst, now));
    } catch (error) {
      // The other rules do not wait for it; the next run retries.
      deps.log.warn({ err: error, rule: burst.rule_id }, 'Failed to write a message about alerts.');
    }
  }
}

async function sendMessage(
  tx: Tx,
  { origin, storm: stormSize = USUAL_STORM }: MessageDeps,
  burst: Burst,
  now: Date,
): Promise<void> {
  const throttle = await lockBurst(tx, burst, now);
  // Another process was faster.
  if (throttle.next_at > now) return;
  const rule = await readChannels(tx, burst);
  const quiet = rule?.channels.quiet ?? null;
  if (quiet !== null && isWithin(quiet, now)) return saveBurst(tx, burst, { next_at: endOf(quiet, now) });
  const reported = await takeNotices(tx, burst, now);
  if (rule === undefined || reported.length === 0) return;
  const isStorm = burst.kind === 'fired' && reported.length >= stormSize;
  const scope: OrganizationScope = {
    kind: 'organization',
    mainAccountId: rule.main_account_id,
    organizationId: burst.organization_id,
  };
  const { escalation, mails } = rule.channels;
  const addresses = burst.kind === 'fired' ? mails : (escalation?.mails ?? []);
  const escalatedAfter = burst.kind === 'fired' ? undefined : (escalation?.afterMinutes ?? 0);
  const message = { rule: rule.name, ruleId: burst.rule_id, severity: rule.severity, escalatedAfter, alerts: reported, isStorm };
  const webhooks = (burst.kind === 'fired' ? rule.channels.webhooks : escalation?.webhooks) ?? [];
  await deliverMessage(tx, scope, { rule, alerts: reported, isStorm, escalatedAfter }, webhooks, now);
  await mailPeople(tx, scope, addresses, origin(), (reader) => alertMail(reader, message), now);
  const goesOn = throttle.storm_id !== null && now.getTime() - (throttle.storm_at?.getTime() ?? 0) < STORM_GOES_ON_MS;
  const storm = goesOn && burst.kind === 'fired' ? throttle.storm_id : isStorm ? newId(now.getTime()) : null;
  if (storm !== null) {
    await joinStorm(tx, burst, storm, reported);
    await announce(tx, scope, 'alerts', []);
  }
  await saveBurst(tx, burst, { ...nextPause(throttle, now), storm_id: storm, storm_at: storm === null ? null : now });
}

/** One minute after a first message; twice the pause before if alerts have gone on since. */
function nextPause({ next_at: before, seconds }: { readonly next_at: Date; readonly seconds: number }, now: Date) {
  const goesOn = seconds > 0 && now.getTime() - before.getTime() <= seconds * 1_000;
  const next = goesOn ? Math.min(LONGEST_PAUSE_SECONDS, seconds * 2) : FIRST_PAUSE_SECONDS;
  return { next_at: new Date(now.getTime() + next * 1_000), seconds: next };
}
