import type { alerts } from '@highline/contract';
import type { ReportedAlert } from './alert-messages.job.queries.ts';

/** How alerts that fired together ended; `partly` = some recovered, and others are open or were ended for another reason. */
export type Outcome = Extract<alerts.Resolution, 'cleared' | 'rule-changed' | 'rule-deleted' | 'out-of-scope'> | 'partly';

interface Ending {
  readonly count: number;
  readonly open: number;
  readonly recovered: number;
  /** Their condition still held when the rule was changed. */
  readonly changed: number;
  /** The same, when it was deleted. */
  readonly deleted: number;
  /** Their condition still held when the device was moved, transferred or deleted, or its router replaced. */
  readonly unwatched: number;
  readonly outcome: Outcome;
}

/** Count how alerts ended: one that was ended because its rule or its device changed, or the rule was deleted, has not recovered. */
export function endingOf(reported: readonly Pick<ReportedAlert, 'state' | 'resolution'>[]): Ending {
  const count = reported.length;
  const open = reported.filter(({ state }) => state !== 'resolved').length;
  const endedBy = (reason: alerts.Resolution) => reported.filter(({ resolution }) => resolution === reason).length;
  const [recovered, changed, deleted] = [endedBy('cleared'), endedBy('rule-changed'), endedBy('rule-deleted')];
  const ofRule = deleted > 0 ? 'rule-deleted' : changed > 0 ? 'rule-changed' : 'out-of-scope';
  const whole = recovered === count ? 'cleared' : ofRule;
  const outcome = recovered < count && recovered + open > 0 ? 'partly' : whole;
  return { count, open, recovered, changed, deleted, unwatched: count - open - recovered - changed - deleted, outcome };
}
