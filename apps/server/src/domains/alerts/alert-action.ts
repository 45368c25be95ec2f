import type { alerts } from '@highline/contract';
import type { Actor } from '../../kernel/index.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'alert_rules.action': alerts.RuleAction | null;
    'alert_rules.action_actor': Actor | null;
    'alert_actions.action': alerts.RuleAction;
    'alert_actions.reason': alerts.ActionReason | null;
  }
}

/** An alert whose rule acts, and what is known of its device. */
export interface WaitingAction {
  readonly id: string;
  readonly alert_state: alerts.AlertState;
  readonly created_at: Date;
  /** It has to be connected for this action, and is not. */
  readonly is_unreachable: boolean;
  /** What the rule has started on it before waits for its window or is under way; for a planned switch, any other one waits. */
  readonly is_pending: boolean;
  /** When the rule last acted on this device, and how often within a day. */
  readonly last_at: Date | null;
  readonly times: number;
}

/** What a rule has done so far. */
export interface ActionCounts {
  /** Within a day. */
  readonly today: number;
  /** Devices on which it acts: what it started waits or is under way, or the cool-down is not over, and neither is the alert. */
  readonly open: number;
}

export type Decided = { readonly id: string } & (
  | { readonly state: 'started' }
  | { readonly state: 'waiting' | 'skipped'; readonly reason: alerts.ActionReason }
);

const MINUTE_MS = 60_000;
/** An action that had no place for so long is not done any more: its reason may be another one by now. */
const LONGEST_WAIT_MS = 60 * MINUTE_MS;
/** A rule that acted so often on one device within a day does not help it: perhaps its action raises its own alert. */
export const MOST_TIMES_OF_DEVICE = 3;

/** Decide which actions of one rule begin now, in the order in which their alerts fired (WIN-03). */
export function decideActions(
  waiting: readonly WaitingAction[],
  { cooldownMinutes, atOnce, perDay }: Pick<alerts.RuleAction, 'cooldownMinutes' | 'atOnce' | 'perDay'>,
  counts: ActionCounts,
  now: Date,
): Decided[] {
  let { today, open } = counts;
  return waiting.map((each): Decided => {
    const { id, created_at: since, last_at: last } = each;
    const skip = (reason: alerts.ActionReason): Decided => ({ id, state: 'skipped', reason });
    if (each.alert_state !== 'firing') return skip(each.alert_state);
    if (each.times >= MOST_TIMES_OF_DEVICE) return skip('repeats');
    if (last !== null && now.getTime() - last.getTime() < cooldownMinutes * MINUTE_MS) return skip('cool-down');
    if (each.is_pending) return skip('already-waiting');
    if (each.is_unreachable) return skip('offline');
    if (today >= perDay) return skip('day-limit');
    if (open >= atOnce) return isTooLate(since, now) ? skip('at-once') : { id, state: 'waiting', reason: 'at-once' };
    today += 1;
    open += 1;
    return { id, state: 'started' };
  });
}

/** Whether an action has waited for too long. */
export const isTooLate = (since: Date, now: Date): boolean => now.getTime() - since.getTime() > LONGEST_WAIT_MS;
