import { analysis, fahrenheitOf } from '@highline/contract';
import { DomainError } from '../../kernel/failure.ts';
import { getProjectGroup } from '../groups/index.ts';
import type { Routes } from '../../platform/calls/call.ts';
import { zoneOfShift } from './analysis.question.ts';
import { respond, type AnalysisDeps, type Responded } from './analysis.service.ts';
import { chartSpec, usualMark } from './vega-lite.ts';
import { listPins, pinChart, unpinChart } from './pins.service.ts';

export type AnalysisRoutesDeps = AnalysisDeps;

/** Registers charts and pinned charts (ANA). */
export function registerAnalysisRoutes(routes: Routes, deps: AnalysisRoutesDeps): void {
  routes.on(analysis.listStatistics, async ({ scope, params, query }) => {
    const { category } = params;
    const { group, device, property, condition, value, window, on: from, to, zone, shift } = query;
    const zoneName = zone === undefined || zone === '' ? zoneOfShift(shift ?? 0) : zone;
    const input = {
      chartType: category,
      group,
      device,
      property,
      condition,
      value,
      window: window || undefined,
      from,
      to,
      zone: zoneName,
      mayBeWide: true,
    };
    const { points, unit, window: respondedIn = '' } = await respond(deps, scope, input);
    return { result: { category, unit, window: respondedIn, points } };
  });

  routes.on(analysis.prepareChart, async ({ scope, params, body }) => {
    const drawn = drawnAs(params.chartType);
    const { chartType } = drawn;
    const mark = body.mark ?? drawn.mark ?? usualMark[chartType];
    const { theme = 'light', language = 'en-US', temperature = '°C' } = body;
    const group = await getProjectGroup(deps.database.read, scope, body);
    const input = { chartType, ...inputOf(body), group, mayBeAllGroups: (body.projectId ?? '') !== '' };
    const responded = inUnitsOfPeople(await respond(deps, scope, input), temperature);
    const { points, unit, window = '', property } = responded;
    // Already validated: only statistics may omit it.
    if (property === undefined) throw new DomainError('analysis.required', { field: 'property' });
    const spec = chartSpec({ ...responded, property }, { chartType, mark, theme, language });
    const { id, names, type } = property;
    return { result: { chartType, mark, spec, points, unit, window, property: { id, name: names[language], type } } };
  });

  registerPins(routes, deps);
}

/** Bytes are counted in millions where people read them, and temperatures in the unit of the reader; how many values a summary has stays. */
function inUnitsOfPeople(responded: Responded, temperature: analysis.TemperatureUnit): Responded {
  const valuesAs = (unit: string, convert: (value: number) => number): Responded => ({
    ...responded,
    unit,
    points: responded.points.map((point) => (point.x === 'count' ? point : { ...point, y: convert(point.y) })),
  });
  if (responded.unit === 'B') return valuesAs('MB', (bytes) => bytes / 1e6);
  if (responded.unit === '°C' && temperature === '°F') return valuesAs('°F', fahrenheitOf);
  return responded;
}

/** The query and mark of a kind of chart: a mark alone draws the query for records. */
function drawnAs(kind: analysis.ChartKind): { chartType: analysis.ChartType; mark?: analysis.Mark } {
  const mark = analysis.marks.find((each) => each === kind);
  return mark === undefined ? { chartType: kind as analysis.ChartType } : { chartType: 'record', mark };
}

/** Convert search arguments; a range needs both ends, otherwise its preset counts. */
function inputOf(body: analysis.AnalysisArguments) {
  const { deviceId: device, propertyId: property, conditons: condition, num: value } = body;
  const { dayType = '', startDate = '', endDate = '', window = '', zone = '' } = body;
  const ends = startDate !== '' && endDate !== '' ? { from: startDate, to: endDate } : {};
  const preset = dayType === '' ? undefined : dayType;
  return { device, property, condition, value, preset, window: window || undefined, zone: zone === '' ? 'UTC' : zone, ...ends };
}

function registerPins(routes: Routes, deps: AnalysisRoutesDeps): void {
  routes.on(analysis.storeDraw, async ({ scope, actor, body }) => {
    const { chartType, mark = body.content.mark } = drawnAs(body.api.chartType);
    const pin = { ...body, api: { ...body.api, chartType }, content: { ...body.content, mark } };
    return { result: await pinChart(deps, scope, actor, pin) };
  });

  routes.on(analysis.listDraws, async ({ scope, actor }) => ({ result: await listPins(deps, scope, actor) }));

  routes.on(analysis.deleteDraw, async ({ scope, actor, params }) => {
    await unpinChart(deps, scope, actor, params.draw);
    return { result: { deleted: 1 } };
  });
}
