import type { alerts, Language } from '@highline/contract';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { insertRule, lockRules } from './alert-rules.store.ts';

type Starter = Pick<alerts.RuleInput, 'severity' | 'condition' | 'forSeconds'> & {
  readonly names: Readonly<Record<Language, string>>;
};

const OFFLINE_SECONDS = 1_800;
const ENDS_WITHIN_DAYS = 30;

/** What every fleet wants to know of, in the order of the list. */
const starters: readonly Starter[] = [
  {
    names: { 'en-US': 'Offline for 30 minutes', 'zh-TW': '離線超過 30 分鐘' },
    severity: 'critical',
    condition: { kind: 'offline' },
    forSeconds: OFFLINE_SECONDS,
  },
  {
    names: { 'en-US': 'Subscription ends', 'zh-TW': '訂閱即將到期' },
    severity: 'warning',
    condition: { kind: 'subscription-ends', days: ENDS_WITHIN_DAYS },
    forSeconds: 0,
  },
  {
    names: { 'en-US': 'Rollout failed or paused', 'zh-TW': '部署失敗或暫停' },
    severity: 'warning',
    condition: { kind: 'rollout-failed', orPaused: true },
    forSeconds: 0,
  },
];

/**
 * Give a new organization rules that are switched on and inform its first admin, who may be added later (SAY-05).
 * @returns their names
 */
export async function addStarterRules(tx: Tx, scope: OrganizationScope, language: Language, now: Date): Promise<string[]> {
  await lockRules(tx, scope);
  for (const { names, ...rule } of starters)
    await insertRule(
      tx,
      scope,
      newId(now.getTime()),
      {
        ...rule,
        name: names[language],
        enabled: true,
        scope: { kind: 'all' },
        hours: null,
        channels: { mails: [], firstAdmin: true, ends: true, escalation: null, quiet: null },
      },
      undefined,
      now,
    );
  return starters.map(({ names }) => names[language]);
}
