import { alerts } from '@highline/contract';
import { ifMatch, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { sendCsv, timeIn } from '../../platform/csv/index.ts';
import { createTotals, type Totals } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { alertColumns } from './alert.export.ts';
import { addRule, deleteRule, listRules, saveRule, type RuleDeps } from './alert-rules.service.ts';
import { alertList, countOpen } from './alerts.queries.ts';
import { replayRule, type ReplayDeps } from './replay.service.ts';
import { acknowledgeAlerts } from './alerts.service.ts';

export type AlertRoutesDeps = RuleDeps & ReplayDeps & Pick<Deps, 'streams' | 'onChanged'>;

/** Registers alert rules and alerts (ALR-01, ALR-03). */
export function registerAlertRoutes(routes: Routes, deps: AlertRoutesDeps): void {
  const { reader, streams } = deps;
  const totals = createTotals<Totals>(deps);

  routes.on(alerts.listRules, async ({ scope }) => ({ result: await listRules(deps, scope) }));

  routes.on(alerts.addRule, async ({ scope, actor, body }) => ({ result: await addRule(deps, scope, actor, inputOf(body)) }));

  routes.on(alerts.saveRule, async ({ scope, actor, params, body, request, reply }) => {
    const isCurrent = ifMatch(request.headers['if-match']);
    const result = await saveRule(deps, scope, actor, params.rule, inputOf(body), isCurrent);
    tagResponse(reply, result.version);
    return { result };
  });

  routes.on(alerts.deleteRule, async ({ scope, actor, params }) => {
    await deleteRule(deps, scope, actor, params.rule);
    return { result: { deleted: 1 as const } };
  });

  routes.on(alerts.replay, async ({ scope, body }) => ({ result: await replayRule(deps, scope, body) }));

  routes.on(alerts.listAlerts, async ({ scope, query }) => alertList.respond({ reader, streams, totals }, scope, query));

  routes.on(alerts.exportAlerts, async (call) => {
    const rows = alertList.rows(streams, call.scope, call.query);
    return sendCsv(call, 'Alerts_export', alertColumns(timeIn(call.query.zone)), rows);
  });

  routes.on(alerts.countAlerts, async ({ scope }) => ({ result: await countOpen(reader, scope) }));

  routes.on(alerts.acknowledge, async ({ scope, actor, body }) => ({
    result: { acknowledged: await acknowledgeAlerts(deps, scope, actor, body.alerts, body.note ?? '') },
  }));
}

/** The rule in a body, without the fields of the call. */
function inputOf({ name, enabled, severity, condition, forSeconds, scope, hours, channels }: alerts.RuleInput): alerts.RuleInput {
  return { name, enabled, severity, condition, forSeconds, scope, hours, channels };
}
