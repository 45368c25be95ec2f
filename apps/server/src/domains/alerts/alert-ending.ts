import type { alerts } from '@highline/contract';
import type { ReportedAlert } from './alert-messages.job.queries.ts';

/** How alerts that fired together ended; `partly` = some recovered, and others are open or were ended for another reason. */
export type Outcome = Extract<alerts.Resolution, 'cleared' | 'rule-changed' | 'out-of-scope'> | 'partly';

interface Ending {
  readonly count: number;
  readonly open: number;
  readonly recovered: number;
  /** Their condition still held when the rule was changed. */
  readonly changed: number;
  /** Their condition still held when the device was moved, transferred or deleted. */
  readonly unwatched: number;
  readonly outcome: Outcome;
}

/** Count how alerts ended: one that was ended because its rule or its device changed has not recovered. */
export function endingOf(reported: readonly Pick<ReportedAlert, 'state' | 'resolution'>[]): Ending {
  const count = reported.length;
  const open = reported.filter(({ state }) => state !== 'resolved').length;
  const recovered = reported.filter(({ resolution }) => resolution === 'cleared').length;
  const changed = reported.filter(({ resolution }) => resolution === 'rule-changed').length;
  const whole = recovered === count ? 'cleared' : changed > 0 ? 'rule-changed' : 'out-of-scope';
  const outcome = recovered < count && recovered + open > 0 ? 'partly' : whole;
  return { count, open, recovered, changed, unwatched: count - open - recovered - changed, outcome };
}
