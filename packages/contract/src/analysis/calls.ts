import { z } from 'zod';
import { everyRole, operation } from '../operation.ts';
import { propertyTypes } from '../properties/property-types.ts';
import { dayType, recordQuery } from '../reports/calls.ts';
import { anything, deviceOrAll, deletion, groupKey, language, line, tenantQuery } from '../conventions.ts';

/** The six queries of Analysis, as its buttons and calls spell them (ANA-01). */
export const chartTypes = ['device', 'record', 'average', 'sumarty', 'piechart', 'runChart'] as const;
export type ChartType = (typeof chartTypes)[number];

/** How a chart is drawn (ANA-02); Vega-Lite's names of marks. */
export const marks = ['line', 'bar', 'area', 'arc'] as const;
export type Mark = (typeof marks)[number];

/** What `prepare` draws: a query, or the query for records with a mark. */
export const chartKinds = [...chartTypes, ...marks] as const;
export type ChartKind = (typeof chartKinds)[number];

export const temperatureUnits = ['°C', '°F'] as const;
export type TemperatureUnit = (typeof temperatureUnits)[number];

export const conditions = ['appear', 'more', 'less', 'equal'] as const;
export type Condition = (typeof conditions)[number];

/** Lengths of a window (RPT-03). */
export const windows = ['1mo', '1w', '1d', '3h', '1h', '30m', '10m', '5m'] as const;
export type Window = (typeof windows)[number];

/** An Analysis query (part 2 section 3, "Analysis search arguments"; the spelling of `conditons` is the API's). */
export const analysisArguments = z.object({
  projectId: z.string().max(100).describe('The organization for all of its groups, or the key of a group.').optional(),
  groupId: line(100).describe('The key of a group: another name for `projectId`.').optional(),
  deviceId: line(60).optional(),
  propertyId: line(60).optional(),
  conditons: z.enum(conditions).optional(),
  num: line(200)
    .describe(
      'The value of the condition, in the unit of the property (`unit` of the properties of reports: °C, B), whichever unit the chart has. "appear" with a value means equality, and without one any value.',
    )
    .optional(),
  dayType: dayType.optional(),
  /** ISO 8601 or epoch seconds; both or neither, and with them `dayType` is ignored. */
  startDate: line(40).optional(),
  endDate: line(40).optional(),
  window: z.enum(['', ...windows]).optional(),
  /** IANA time zone for the beginning of days and windows. */
  zone: line(60).optional(),
});
export type AnalysisArguments = z.infer<typeof analysisArguments>;

/** One point: a window's start (epoch milliseconds), a device or a value, and its number. */
export const point = z.object({ x: z.union([z.number(), z.string()]), y: z.number(), label: z.string().optional() });
export type Point = z.infer<typeof point>;

export const listStatistics = operation({
  id: 'analysis.statistics',
  queue: 'questions',
  method: 'GET',
  path: '/data_manager/api/v1/statistics/{category}',
  summary: 'Numbers of one of the six queries, by windows of time, devices or values (OLD-05).',
  scope: 'organization',
  roles: everyRole,
  params: z.object({ category: z.enum(chartTypes) }),
  query: tenantQuery.extend({
    project: z.string().max(60).optional(),
    on: recordQuery.shape.on,
    to: recordQuery.shape.to,
    group: groupKey.optional(),
    device: deviceOrAll.optional(),
    property: z.string().max(60).optional(),
    condition: z.enum(conditions).optional(),
    value: z.string().max(200).describe('The value of the condition, in the unit of the property.').optional(),
    /** Offset from UTC for the beginning of windows, hours; `zone` is more exact and has precedence. */
    shift: z.coerce.number().min(-14).max(14).optional(),
    zone: z.string().max(60).optional(),
    window: z.enum(['', ...windows]).optional(),
  }),
  response: z.object({
    result: z.object({
      category: z.enum(chartTypes),
      unit: z.string(),
      /** Empty if the query has no windows. */
      window: z.string(),
      points: z.array(point),
    }),
  }),
});

/** The content of a chart, and how it was computed. */
export const chart = z.object({
  chartType: z.enum(chartTypes),
  mark: z.enum(marks),
  /** A Vega-Lite specification including its values; null when there is nothing to draw. */
  spec: z.record(z.string(), anything).nullable(),
  points: z.array(point),
  unit: z.string(),
  window: z.string(),
  property: z.object({ id: z.string(), name: z.string(), type: z.enum(propertyTypes) }).nullable(),
});
export type Chart = z.infer<typeof chart>;

export const prepareChart = operation({
  id: 'analysis.prepare',
  queue: 'questions',
  method: 'POST',
  path: '/vega_lite_manager/api/v1/prepare/{chartType}',
  summary:
    'Draw one of the six queries: values and a Vega-Lite specification (ANA-01, ANA-02). Rejected per ANA-03. `line`, `bar`, `area` and `arc` draw the query for records with that mark.',
  scope: 'organization',
  projectMayBeGroup: true,
  roles: everyRole,
  params: z.object({ chartType: z.enum(chartKinds) }),
  body: analysisArguments.extend({
    realm: z.string().optional(),
    org: z.string().optional(),
    mark: z.enum(marks).optional(),
    theme: z.enum(['light', 'dark']).optional(),
    language,
    /** The unit of temperatures; °C without one. */
    temperature: z.enum(temperatureUnits).optional(),
  }),
  isBodyRequired: true,
  response: z.object({ result: chart }),
});

/** Chart fields of a pinned chart, their texts, its theme and organization (part 2 section 3, "Pinned chart"). */
const pinContent = z.object({
  projectId: analysisArguments.shape.projectId,
  theme: z.enum(['light', 'dark']).optional(),
  mark: z.enum(marks),
  title: line(200),
  argsLabel: z.array(line(200)).max(20),
});

/** A chart on a user's overview (OVW-08). Its query runs again whenever it is shown. */
export const pinnedChart = z.object({
  id: z.string(),
  /** Account id of the user who pinned it. */
  creator: z.string(),
  /** As it was drawn when it was pinned. */
  spec: z.record(z.string(), anything),
  /** Its query: the input of prepare/{chartType}. */
  api: z.object({ chartType: z.enum(chartTypes), arguments: analysisArguments }),
  content: pinContent,
  /** ISO 8601. */
  created: z.string(),
});
export type PinnedChart = z.infer<typeof pinnedChart>;

export const storeDraw = operation({
  id: 'analysis.pin',
  method: 'POST',
  path: '/vega_lite_manager/api/v1/store_draw',
  summary: "Pin a chart to the caller's own overview (ANA-02); the same query again is the same pin. At most 12.",
  scope: 'organization',
  roles: everyRole,
  body: z.object({
    realm: z.string().optional(),
    org: z.string().optional(),
    /** The caller's own account id, or left out. */
    creator: z.string().max(60).optional(),
    spec: z.record(z.string(), anything),
    /** The call that drew it; a mark is kept as the query for records, drawn with that mark. */
    api: pinnedChart.shape.api.extend({ chartType: z.enum(chartKinds) }),
    content: pinContent,
  }),
  maxBodyBytes: 262_144,
  // The caller's own account, which differs.
  bodyExample: { creator: undefined },
  response: z.object({ result: pinnedChart }),
});

export const listDraws = operation({
  id: 'analysis.pins',
  method: 'GET',
  path: '/vega_lite_manager/api/v1/draws',
  summary: "The caller's own pinned charts, oldest first (OVW-08).",
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(pinnedChart) }),
});

export const deleteDraw = operation({
  id: 'analysis.unpin',
  method: 'DELETE',
  path: '/vega_lite_manager/api/v1/draws/{draw}',
  summary: "Remove one of the caller's pinned charts from the overview.",
  scope: 'organization',
  roles: everyRole,
  params: z.object({ draw: z.string() }),
  query: tenantQuery,
  response: deletion,
});

export const topics = ['charts'] as const;

export const schemaNames = {
  AnalysisArguments: analysisArguments,
  Chart: chart,
  ChartPoint: point,
  PinnedChart: pinnedChart,
  PinnedChartContent: pinnedChart.shape.content,
  PinnedChartQuery: pinnedChart.shape.api,
};
