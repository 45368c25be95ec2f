import { alertPeople, alerts } from '@highline/contract';
import { required } from '../../kernel/index.ts';
import { ifMatch, sendVersioned, tagResponse, type Routes } from '../../platform/calls/index.ts';
import { chosenColumns, sendCsv, timeIn } from '../../platform/csv/index.ts';
import { createTotals, type Totals } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { withPlaceTexts, type PlacesDeps } from '../places/index.ts';
import { actionColumns } from './alert-action.export.ts';
import { actionList } from './alert-actions.queries.ts';
import { peopleList, readPerson } from './alert-people.queries.ts';
import {
  readPushKey,
  registerBrowser,
  testBrowsers,
  unregisterBrowser,
  type BrowserPeopleDeps,
} from './alert-browsers.service.ts';
import { deletePeople, savePerson } from './alert-people.service.ts';
import { alertColumns } from './alert.export.ts';
import type { RuleDeps } from './alert-rule-input.ts';
import { addRule, deleteRule, listRules, saveRule } from './alert-rules.service.ts';
import { alertList, countOpen } from './alerts.queries.ts';
import { replayRule, type ReplayDeps } from './replay.service.ts';
import { acknowledgeAlerts } from './alerts.service.ts';

export type AlertRoutesDeps = RuleDeps & ReplayDeps & BrowserPeopleDeps & PlacesDeps & Pick<Deps, 'streams' | 'onChanged'>;

/** Registers alert rules and alerts (ALR-01, ALR-03). */
export function registerAlertRoutes(routes: Routes, deps: AlertRoutesDeps): void {
  const { reader, streams } = deps;
  const totals = createTotals<Totals>(deps);
  registerPeople(routes, deps);
  registerActions(routes, deps);

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
    const { scope, query } = call;
    const { zone, language, columns } = query;
    const rows = withPlaceTexts(
      deps,
      scope,
      language ?? 'en-US',
      alertList.rows(streams, scope, query),
      ({ place, latitude, longitude }) =>
        place ?? (latitude === null || longitude === null ? undefined : { latitude, longitude }),
    );
    const all = alertColumns(timeIn(zone, language), deps.clock.now());
    return sendCsv(call, 'Alerts_export', chosenColumns(all, columns, alerts.alertColumns), rows);
  });

  routes.on(alerts.countAlerts, async ({ scope }) => ({ result: await countOpen(reader, scope) }));

  routes.on(alerts.acknowledge, async ({ scope, actor, body }) => ({
    result: { acknowledged: await acknowledgeAlerts(deps, scope, actor, body.alerts, body.note ?? '') },
  }));
}

/** Registers who is notified of alerts, and in which browsers (SAY-05). */
function registerPeople(routes: Routes, deps: AlertRoutesDeps): void {
  const { reader } = deps;

  routes.on(alertPeople.listPeople, async ({ scope, query }) => peopleList.respond(deps, scope, query));

  routes.on(alertPeople.savePerson, (call) => {
    const { scope, actor, body } = call;
    const { mail, severities, hours, channels, language, zone } = body;
    return sendVersioned(
      call,
      (isCurrent) => savePerson(deps, scope, actor, { mail, severities, hours, channels, language, zone }, isCurrent),
      async () => required(await readPerson(reader, scope, mail), 'not_found'),
    );
  });

  routes.on(alertPeople.deletePeople, async ({ scope, actor, body }) => ({
    result: { deleted: await deletePeople(deps, scope, actor, body.mails) },
  }));

  routes.on(alertPeople.pushKey, async ({ scope, actor }) => ({
    result: await readPushKey(deps, scope, actor),
  }));

  routes.on(alertPeople.addBrowser, async ({ scope, actor, body }) => {
    const { endpoint, p256dh, auth, language, zone } = body;
    await registerBrowser(deps, scope, actor, { endpoint, p256dh, auth, language, zone });
    return { result: required(await readPerson(reader, scope, actor.email), 'not_found') };
  });

  routes.on(alertPeople.removeBrowser, async ({ scope, actor, body }) => ({
    result: { deleted: await unregisterBrowser(deps, scope, actor, body.endpoint) },
  }));

  routes.on(alertPeople.testBrowsers, async ({ scope, actor }) => ({
    result: { browsers: await testBrowsers(deps, scope, actor) },
  }));
}

/** Registers what rules did by themselves (WIN-03). */
function registerActions(routes: Routes, deps: AlertRoutesDeps): void {
  const { reader, streams } = deps;
  const totals = createTotals<Totals>(deps);

  routes.on(alerts.listActions, async ({ scope, query }) => actionList.respond({ reader, streams, totals }, scope, query));

  routes.on(alerts.exportActions, async (call) => {
    const rows = actionList.rows(streams, call.scope, call.query);
    return sendCsv(call, 'Alert_actions_export', actionColumns(timeIn(call.query.zone, call.query.language)), rows);
  });
}

/** The rule in a body, without the fields of the call. */
function inputOf(body: alerts.RuleInput): alerts.RuleInput {
  const { name, enabled, severity, condition, forSeconds, scope, hours, channels, action = null } = body;
  return { name, enabled, severity, condition, forSeconds, scope, hours, channels, action };
}
