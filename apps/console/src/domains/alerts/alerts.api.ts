import { alerts, type FileFormat } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile } from '../../api/client.ts';
import { type Page, pageOf, type PageRequest } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { ListQuery } from '../../ui/list/spec.ts';
import type { alertList } from './alerts.lists.ts';

export type Alert = alerts.Alert;
export type Rule = alerts.Rule;
export type RuleInput = alerts.RuleInput;

type AlertListQuery = ListQuery<typeof alertList>;

/** One page of alerts, the newest first unless sorted; only in a list that is grouped they have storms. */
export async function fetchAlerts(
  { around: _around, ...rest }: AlertListQuery & PageRequest,
  signal: AbortSignal,
): Promise<Page<Alert>> {
  const isGrouped = isGroupedBy(rest);
  const query = { ...withDefaults(rest), ...(isGrouped && { grouped: 'true' as const }) };
  const page = pageOf(await call(alerts.listAlerts, { query, signal }));
  // A process of the version before does not say what became of a storm: its line is its newest alert, as it was then.
  const hasStorm = ({ storm }: Alert) => isGrouped && storm !== null && (storm.state as unknown) !== undefined;
  return { ...page, rows: page.rows.map((alert) => (hasStorm(alert) ? alert : { ...alert, storm: null })) };
}

/** Alerts that fired together are one line, unless the list is about one of them, or searched. */
const isGroupedBy = ({ storm, device, group, search }: Pick<AlertListQuery, 'storm' | 'device' | 'group' | 'search'>): boolean =>
  [storm, device, group, search].every((part) => part === undefined);

/** Whether the list is about something of which also what is over is looked for. */
export const isAboutAll = ({
  storm,
  device,
  rule,
  search,
}: Pick<AlertListQuery, 'storm' | 'device' | 'rule' | 'search'>): boolean =>
  [storm, device, rule, search].some((part) => part !== undefined);

/** Without a state the inbox shows what is open, and that by severity (SAY-06); rows that are named are of any state. */
function withDefaults<Query extends AlertListQuery & { readonly only?: string | undefined }>(query: Query): Query {
  const { state = isAboutAll(query) || query.only !== undefined ? undefined : 'open' } = query;
  const { sort = state === 'open' ? '-severity' : undefined } = query;
  return { ...query, state, sort };
}

/** The same list as CSV. */
export function fetchAlertsFile(
  query: AlertListQuery & {
    readonly zone: string;
    readonly language: Language;
    readonly format?: FileFormat | undefined;
    readonly columns: string | undefined;
    readonly only?: string | undefined;
  },
): Promise<Blob> {
  return callFile(alerts.exportAlerts, { query: withDefaults(query) });
}

/** @param ids of alerts or storms @returns how many were acknowledged; others were before, or are resolved */
export async function acknowledgeAlerts(ids: readonly string[], note: string): Promise<number> {
  return (await call(alerts.acknowledge, { body: { alerts: [...ids], note } })).result.acknowledged;
}

export const rulesQuery = queryOptions({
  queryKey: ['alerts', 'rules'],
  queryFn: async ({ signal }) => (await call(alerts.listRules, { query: {}, signal })).result,
  meta: { topics: ['alerts', 'groups', 'views'] },
});

/** Add a rule, or save one as a whole. @param stored with the version that the changes are based on */
export async function saveRule(
  input: RuleInput,
  stored: { readonly id: string; readonly version: string } | undefined,
): Promise<Rule> {
  if (stored === undefined) return (await call(alerts.addRule, { body: input })).result;
  const { id, version } = stored;
  return (await call(alerts.saveRule, { params: { rule: id }, body: input, ifMatch: `"${version}"` })).result;
}

export type Replay = alerts.Replay;

/** How often a rule would have fired in the last week (ALR-02). */
export async function replayRule({ condition, forSeconds, scope, hours }: RuleInput): Promise<Replay> {
  return (await call(alerts.replay, { body: { condition, forSeconds, scope, hours } })).result;
}

export async function deleteRule({ id }: Pick<Rule, 'id'>): Promise<void> {
  await call(alerts.deleteRule, { params: { rule: id } });
}

/** Open alerts of one device that its page names. */
const MOST_NAMED = 10;

export const openAlertsQuery = (device: string) =>
  queryOptions({
    queryKey: ['alerts', 'device', device],
    queryFn: async ({ signal }) =>
      (await call(alerts.listAlerts, { query: { device, state: 'open', limit: MOST_NAMED }, signal })).result,
    meta: { topics: ['alerts'] },
  });
