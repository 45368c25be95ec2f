import type { places } from '@highline/contract';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mailPeople } from '../notifications/index.ts';
import { listBrowsers, listIncidentWebhooks } from '../webhooks/index.ts';
import { listDueBursts, lockBurst, saveBurst } from './alert-bursts.job.queries.ts';
import {
  delayEscalated,
  insertEnded,
  joinStorm,
  listEndingStorms,
  readChannels,
  takeEndedAlone,
  takeEndedOf,
  takeNotices,
  type Burst,
  type ReportedAlert,
} from './alert-messages.job.queries.ts';
import { findRecipients } from './alert-recipients.job.queries.ts';
import { deliverMessage } from './alert.events.ts';
import { alertMail, listedIn } from './alert.mail.ts';
import { endOf, isWithin } from './hours.ts';

/** Describes places in their order. */
export type DescribePlaces = (
  scope: OrganizationScope,
  pairs: readonly (readonly [latitude: number, longitude: number])[],
) => Promise<places.Place[]>;

export interface MessageDeps extends Pick<Deps, 'database' | 'log'> {
  /** Scheme, name and port of links in mails. */
  readonly origin: () => string;
  /** So many alerts of one rule in one message are a storm (ALR-06); left out: 10. */
  readonly storm?: number;
  /** Left out: mails have coordinates alone. */
  readonly describe?: DescribePlaces;
}

/** Messages of one run. */
const AT_ONCE = 200;
const USUAL_STORM = 10;
/** Alerts belong to a storm while each fires within this time after the one before, or the last message about the storm, whenever theirs is written. */
const STORM_GOES_ON_MS = 600_000;
/** How long the message about the end of a storm waits for the last of its alerts, and how soon it is looked at again. */
const LONGEST_ENDING_MS = 600_000;
const LOOK_AGAIN_MS = 20_000;
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

async function sendMessage(tx: Tx, deps: MessageDeps, burst: Burst, now: Date): Promise<void> {
  const throttle = await lockBurst(tx, burst, now);
  // Another process was faster.
  if (throttle.next_at > now) return;
  const rule = await readChannels(tx, burst);
  const quiet = rule?.channels.quiet ?? null;
  if (quiet !== null && isWithin(quiet, now)) return saveBurst(tx, burst, { next_at: endOf(quiet, now) });
  if (burst.kind === 'ended' && rule !== undefined) return sendEnds(tx, deps, { burst, throttle }, rule, now);
  const reported = await takeNotices(tx, burst, now);
  if (rule === undefined || reported.length === 0) return;
  const isStorm = burst.kind === 'fired' && reported.length >= (deps.storm ?? USUAL_STORM);
  const goesOn = throttle.storm_id !== null && hasNoGap(throttle.storm_at, reported);
  const storm = goesOn && burst.kind === 'fired' ? throttle.storm_id : isStorm ? newId(now.getTime()) : null;
  await inform(tx, deps, burst, rule, { alerts: reported, isStorm, isEnd: false, storm, goesOn }, now);
  if (storm !== null) {
    await joinStorm(tx, burst, storm, reported);
    await announce(tx, scopeOf(burst, rule), 'alerts', []);
  }
  const { escalation } = rule.channels;
  if (burst.kind === 'fired' && escalation !== null) await delayEscalated(tx, burst, reported, escalation.afterMinutes, now);
  const over = reported.filter(({ state }) => state === 'resolved');
  await insertEnded(
    tx,
    over.map(({ id }) => ({ organization_id: burst.organization_id, id })),
    now,
  );
  await saveBurst(tx, burst, { ...nextPause(throttle, now), storm_id: storm, storm_at: storm === null ? null : now });
}

/** Whether these alerts, in the order in which they fired, go on from the last message about a storm. */
function hasNoGap(stormAt: Date | null, reported: readonly ReportedAlert[]): boolean {
  const times = [stormAt?.getTime() ?? 0, ...reported.map(({ fired_at: at }) => at.getTime())];
  return times.every((at, index) => index === 0 || at - times[index - 1]! < STORM_GOES_ON_MS);
}

/** Write about the alerts that ended; about storms when all of theirs have, or when they have been ending for a while. */
async function sendEnds(
  tx: Tx,
  deps: MessageDeps,
  { burst, throttle }: { readonly burst: Burst; readonly throttle: Awaited<ReturnType<typeof lockBurst>> },
  rule: RuleChannels,
  now: Date,
): Promise<void> {
  for (const { storm_id: storm, open, since } of await listEndingStorms(tx, burst)) {
    if (open > 0 && now.getTime() - since.getTime() < LONGEST_ENDING_MS) continue;
    const alerts = await takeEndedOf(tx, burst, storm);
    // Devices left the rule, and none has recovered: there is nothing to say before the others end.
    if (open > 0 && !alerts.some(({ resolution }) => resolution === 'cleared')) continue;
    await inform(tx, deps, burst, rule, { alerts, isStorm: true, isEnd: true, storm }, now);
  }
  const alone = await takeEndedAlone(tx, burst);
  if (alone.length === 0) return saveBurst(tx, burst, { next_at: new Date(now.getTime() + LOOK_AGAIN_MS) });
  await inform(tx, deps, burst, rule, { alerts: alone, isStorm: false, isEnd: true, storm: null }, now);
  await saveBurst(tx, burst, nextPause(throttle, now));
}

type RuleChannels = NonNullable<Awaited<ReturnType<typeof readChannels>>>;

const scopeOf = (
  { organization_id: organizationId }: Burst,
  { main_account_id: mainAccountId }: RuleChannels,
): OrganizationScope => ({
  kind: 'organization',
  mainAccountId,
  organizationId,
});

interface Report {
  readonly alerts: readonly ReportedAlert[];
  readonly isStorm: boolean;
  readonly isEnd: boolean;
  readonly storm: string | null;
  readonly goesOn?: boolean;
}

/** The places of the alerts that a mail lists, by alert. */
async function describeShown(
  scope: OrganizationScope,
  { alerts, isEnd }: Report,
  describe: DescribePlaces | undefined,
): Promise<ReadonlyMap<string, places.Place>> {
  const placed = listedIn(alerts, isEnd).flatMap(({ id, latitude, longitude }) =>
    latitude === null || longitude === null ? [] : [{ id, at: [latitude, longitude] as const }],
  );
  if (describe === undefined || placed.length === 0) return new Map();
  const described = await describe(
    scope,
    placed.map(({ at }) => at),
  );
  return new Map(placed.map(({ id }, index) => [id, described[index]!]));
}

/** Write the mails, and record the events for webhooks and browsers. */
async function inform(
  tx: Tx,
  { origin, describe }: MessageDeps,
  burst: Burst,
  rule: RuleChannels,
  report: Report,
  now: Date,
): Promise<void> {
  const scope = scopeOf(burst, rule);
  const { escalation, mails, webhooks = [], zone } = rule.channels;
  const isEscalated = burst.kind === 'escalated';
  const escalatedAfter = isEscalated ? (escalation?.afterMinutes ?? 0) : undefined;
  const named = isEscalated ? (escalation?.mails ?? []) : mails;
  const firstAdmin = isEscalated ? null : rule.first_admin;
  const informed = firstAdmin === null ? named : [...named, firstAdmin];
  const people = await findRecipients(tx, scope, informed, isEscalated ? undefined : rule.severity, now);
  const browsers = await listBrowsers(tx, scope, people.push);
  const shown = await describeShown(scope, report, describe);
  const message = { rule: rule.name, ruleId: burst.rule_id, severity: rule.severity, escalatedAfter, ...report, places: shown };
  const escalated = escalation?.webhooks ?? [];
  // Those of the escalation may have opened an incident too.
  const ended = report.isEnd ? await listIncidentWebhooks(tx, scope, escalated) : [];
  // Webhooks know of the end of an alert that fired alone since it ended.
  const isEndAlone = report.isEnd && !report.isStorm;
  const channels = isEndAlone ? browsers : [...new Set([...(isEscalated ? escalated : webhooks), ...ended, ...browsers])];
  await deliverMessage(tx, scope, { rule, escalatedAfter, ...report }, channels, now);
  const reasonOf = (mail: string) =>
    named.includes(mail) ? 'named' : mail === firstAdmin ? 'first-admin' : people.users.has(mail) ? 'by-severity' : 'no-user';
  const locale = { locales: people.locales, ...(zone !== undefined && { zone }) };
  await mailPeople(
    tx,
    scope,
    isEndAlone && rule.channels.ends !== true ? [] : people.mails,
    origin(),
    (reader, mail) => alertMail(reader, { ...message, reason: reasonOf(mail) }),
    now,
    locale,
  );
}

/** One minute after a first message; twice the pause before if alerts have gone on since. */
function nextPause({ next_at: before, seconds }: { readonly next_at: Date; readonly seconds: number }, now: Date) {
  const goesOn = seconds > 0 && now.getTime() - before.getTime() <= seconds * 1_000;
  const next = goesOn ? Math.min(LONGEST_PAUSE_SECONDS, seconds * 2) : FIRST_PAUSE_SECONDS;
  return { next_at: new Date(now.getTime() + next * 1_000), seconds: next };
}
