import { alerts } from '@highline/contract';
import { sql } from 'kysely';
import { DomainError, required, type OrganizationScope } from '../../kernel/index.ts';
import type { Fragment, TimedReader } from '../../platform/listing/index.ts';
import { devicesOf } from '../devices/index.ts';
import { devicesOfView } from '../views/index.ts';
import { checkWatched, type RuleDeps } from './alert-rule-input.ts';
import { isWithin, nextStart } from './hours.ts';
import { MOST_REPLAYED, readEpisodes, type Episode } from './replay.queries.ts';

export interface ReplayDeps extends RuleDeps {
  /** Ends a query that takes too long. */
  readonly timed: TimedReader;
}

type Question = Pick<alerts.RuleInput, 'condition' | 'forSeconds' | 'scope' | 'hours'>;

const DAY_MS = 86_400_000;
/** Longest time that a replay may hold a connection. */
const LIMIT_MS = 5_000;
/** Anyone's shared views. */
const anyone = { accountId: '00000000-0000-0000-0000-000000000000' };

/**
 * How often a rule would have fired in the last days, with devices and moments (ALR-02). The devices are those that it watches now.
 * @throws DomainError `alert.replay_too_large`, `alert.scope_not_found`, `request.invalid`
 */
export async function replayRule(deps: ReplayDeps, scope: OrganizationScope, question: Question): Promise<alerts.Replay> {
  const now = deps.clock.now();
  await checkWatched(deps, scope, question, now);
  if (!alerts.isReplayable(question.condition.kind)) return { replayed: false, count: 0, devices: 0, isCut: false, moments: [] };
  const devices = await watchedBy(deps, scope, question.scope, now);
  const from = new Date(now.getTime() - alerts.REPLAY_DAYS * DAY_MS);
  const read = deps.timed.read((rows) => readEpisodes(rows, scope, question, devices, { from, now }), LIMIT_MS);
  const episodes = required(await read.catch(ofTime), 'alert.replay_too_large');
  const fired = episodes.flatMap((episode) => {
    const at = firedAt(episode, question, now);
    return at === undefined || at < from ? [] : [{ episode, at }];
  });
  fired.sort((a, b) => b.at.getTime() - a.at.getTime());
  return {
    replayed: true,
    count: fired.length,
    devices: new Set(fired.map(({ episode }) => episode.device)).size,
    isCut: episodes.length === MOST_REPLAYED,
    moments: fired.slice(0, alerts.MOST_MOMENTS).map(({ episode, at }) => ({
      device: episode.device,
      serial_number: episode.serial,
      vehicle_number: episode.vehicle_number,
      fired: seconds(at),
      cleared: episode.until === null ? null : seconds(episode.until),
      value: episode.value,
    })),
  };
}

/** Undefined when the time was over. */
function ofTime(error: unknown): undefined {
  if (!(error instanceof DomainError) || error.key !== 'report.too_slow') throw error;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1_000);

/** When the alert of an episode would have fired: after its time, within the active hours. */
function firedAt({ at, until }: Episode, { forSeconds, hours }: Question, now: Date): Date | undefined {
  const due = new Date(at.getTime() + forSeconds * 1_000);
  const fires = hours === null || isWithin(hours, due) ? due : nextStart(hours, due);
  return fires <= now && (until === null || fires <= until) ? fires : undefined;
}

async function watchedBy(deps: ReplayDeps, scope: OrganizationScope, watched: alerts.RuleScope, at: Date): Promise<Fragment> {
  switch (watched.kind) {
    case 'all':
      return devicesOf(scope);
    case 'group':
      return sql`${devicesOf(scope)} and d.group_key = ${watched.group}`;
    case 'tag':
      return sql`${devicesOf(scope)} and d.tags @> array[${watched.tag}]::text[]`;
    case 'view':
      return devicesOfView(deps, scope, anyone, watched.view, { expiringDays: deps.expiringDays, at });
  }
}
