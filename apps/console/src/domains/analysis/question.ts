import { type analysis, faultsOfQuestion, parseInstant, type QuestionFault, type reports } from '@highline/contract';
import { daysOfInstants, isSingleDay, timeRangeOf } from '../reports/index.ts';
import type { Fields } from './address.ts';

/** A requested chart: one of the six kinds with its fields. */
export interface ChartInput {
  readonly chartType: analysis.ChartType;
  readonly fields: Fields;
}

const order = ['day', 'from', 'until', 'group', 'device', 'property', 'condition', 'value', 'window'] as const;

/** The faults of a requested chart, at most one per field (ANA-03). */
export function faultsOf(
  { chartType, fields }: ChartInput,
  property: reports.PropertyType | undefined,
): readonly QuestionFault[] {
  const { group = '', device = '', condition = 'appear', value = '' } = fields;
  return faultsOfQuestion({ chartType, group, device, property, condition, value, singleDay: isSingleDay(fields) });
}

/** The same for the same question, whichever way its fields were filled: a chart already drawn is not drawn again (ANA-01). */
export function keyOf({ chartType, fields }: ChartInput): string {
  const usual: Readonly<Record<string, string>> = { day: 'today', condition: 'appear' };
  const given = order.map((name) => (fields[name] === usual[name] ? '' : (fields[name] ?? '')));
  return JSON.stringify([chartType, ...given]);
}

/** A question as the calls take it. A range travels as instants: its days begin and end in the person's zone. */
export function argumentsOf(fields: Fields, zone: string): analysis.AnalysisArguments {
  const { day = 'today', group, device, property, condition = 'appear', value, window } = fields;
  // Presets travel by name: the moment is of no matter to a range.
  const range = day === 'custom' ? timeRangeOf(fields, zone, new Date(0)) : undefined;
  const all: analysis.AnalysisArguments = {
    groupId: group,
    deviceId: device,
    propertyId: property,
    conditons: condition,
    num: value,
    window,
    ...(day === 'custom' ? {} : { dayType: day }),
    ...(range === undefined ? {} : { startDate: new Date(range.on).toISOString(), endDate: new Date(range.to).toISOString() }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined && one !== ''));
}

/** The group that a query names by either of its names; undefined: all of the organization. */
function groupOf({ groupId = '', projectId = '' }: analysis.AnalysisArguments, org: string | undefined): string | undefined {
  if (groupId !== '') return groupId;
  return projectId === '' || projectId.toLowerCase() === org ? undefined : projectId;
}

/** The fields of a stored query as the calls take it; a range of instants becomes days in a zone. @param org the organization */
export function fieldsOf(input: analysis.AnalysisArguments, zone: string, org: string | undefined): Fields {
  const { deviceId, propertyId, conditons, num, dayType, startDate = '', endDate = '', window } = input;
  return {
    ...(daysOfInstants(startDate, endDate, zone) ?? { day: dayType === '' ? undefined : dayType }),
    group: groupOf(input, org),
    device: deviceId,
    property: propertyId,
    condition: conditons,
    value: num,
    window: window === '' ? undefined : window,
  };
}

/** Equal for arguments that request the same, to compare pins. The zone is the viewer's. @param org the organization */
export function argumentsKey(input: analysis.AnalysisArguments, org: string | undefined): string {
  const { zone: _zone, projectId: _project, startDate = '', endDate = '', dayType, ...rest } = input;
  const range = [parseInstant(startDate), parseInstant(endDate)];
  const days = range.some(Number.isNaN) ? { dayType } : { range };
  const given = Object.entries({ ...rest, groupId: groupOf(input, org), ...days }).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  return JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The chart styles that suit a query (ANA-02): shares are arcs, time series are lines. */
export function marksOf(chartType: analysis.ChartType, property: reports.PropertyType | undefined): readonly analysis.Mark[] {
  switch (chartType) {
    case 'record':
    case 'average':
    case 'runChart':
      return ['line', 'bar', 'area'];
    case 'device':
      return ['bar', 'line', 'area', 'arc'];
    case 'piechart':
      return ['arc', 'bar'];
    case 'sumarty':
      // A minimum and a maximum are no shares of anything.
      return property === 'number' ? ['bar'] : ['bar', 'arc'];
  }
}
