import { faultsOfQuestion, isNumeric, windowsFor, type analysis, type QuestionFault, type reports } from '@highline/contract';
import { dayIn, DomainError, invalidField, type OrganizationScope } from '../../kernel/index.ts';
import { searchable } from '../../platform/listing/index.ts';
import {
  catalogue,
  daysWithin,
  requestedDevices,
  requestedGroups,
  findProperty,
  timeRangeOf,
  type CataloguedProperty,
  type RecordQuestion,
  type TimeRange,
  type ValueCondition,
} from '../reports/index.ts';

/** An Analysis query, from either of its API calls. */
export interface AnalysisInput {
  readonly chartType: analysis.ChartType;
  readonly group?: string | undefined;
  readonly device?: string | undefined;
  readonly property?: string | undefined;
  readonly condition?: analysis.Condition | undefined;
  readonly value?: string | undefined;
  readonly preset?: reports.DayPreset | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly window?: analysis.Window | undefined;
  /** IANA time zone for the beginning of days and windows. */
  readonly zone: string;
  /**
   * For API clients (OLD-05): without a group it covers the whole organization, and records of all properties are counted
   * together.
   */
  readonly mayBeWide?: boolean;
  /** Without a group it covers the whole organization, which it names. */
  readonly mayBeAllGroups?: boolean;
}

/** A validated query. */
export interface AnalysisQuestion {
  readonly chartType: analysis.ChartType;
  /** Undefined = all of them together. */
  readonly property: CataloguedProperty | undefined;
  readonly records: RecordQuestion;
  readonly range: TimeRange;
  readonly days: number;
  readonly window: analysis.Window | undefined;
  readonly zone: string;
}

/**
 * Validate a query (ANA-03) and convert it to a query for records.
 * @throws DomainError for the first broken rule, with its key in `detail.key`; `request.invalid`, `report.time_range`
 */
export function validateQuestion(
  scope: OrganizationScope,
  input: AnalysisInput,
  horizon: { readonly now: Date; readonly keptDays: number },
): AnalysisQuestion {
  const { chartType, group = '', device = '', condition = 'appear', zone } = input;
  const value = (input.value ?? '').trim();
  const range = timeRangeOf(input, zone, horizon);
  const property = findProperty(input.property ?? '');
  const faults = faultsOfQuestion({
    chartType,
    group,
    device,
    property: property?.type,
    condition,
    value,
    singleDay: isSingleDay(input, range),
  });
  const isWide = input.mayBeWide === true && (input.property ?? '') === '' && (chartType === 'device' || chartType === 'record');
  const needsNoGroup = input.mayBeWide === true || input.mayBeAllGroups === true;
  const fault = faults.find(({ field }) => !(needsNoGroup && field === 'group') && !(isWide && field === 'property'));
  if (fault !== undefined) throw rejection(fault);
  const days = daysWithin(range);
  const records = {
    key: '',
    range,
    properties: property === undefined ? catalogue : [property],
    devices: requestedDevices(scope, { group, device }),
    groups: requestedGroups(scope, { group, device }),
    value: conditionOf(property, condition, value),
  };
  return { chartType, property, records, range, days, window: offered(input, days), zone };
}

function rejection({ failure, field, key }: QuestionFault): DomainError {
  const message = failure === 'analysis.required' ? { message: `Please enter the ${field}` } : {};
  return new DomainError(failure, { ...message, field, detail: { key } });
}

/** Week and month are never a single day, not even on their first. */
function isSingleDay(input: AnalysisInput, range: TimeRange): boolean {
  if (hasNoEnds(input)) return !isWeekOrMonth(input);
  return dayIn(input.zone, range.from) === dayIn(input.zone, new Date(range.until.getTime() - 1));
}

const hasNoEnds = ({ from = '', to = '' }: AnalysisInput) => from === '' && to === '';

const isWeekOrMonth = (input: AnalysisInput) => hasNoEnds(input) && (input.preset === 'week' || input.preset === 'month');

/** "appears" means equality, or any value if none is given. Numbers are compared by value, not by notation. */
function conditionOf(property: CataloguedProperty | undefined, condition: analysis.Condition, value: string): ValueCondition {
  if (condition === 'more' || condition === 'less') return { kind: condition, than: Number(value) };
  if (property?.type === 'number' && isNumeric(value)) return { kind: 'text', text: String(Number(value)) };
  return value === '' ? { kind: 'any' } : { kind: 'text', text: searchable(value, 'value') };
}

/**
 * The days of a week or a month become more from day to day, and a stored query stays valid on each of them: the windows of several days are
 * available from the first on, and in place of one that was available on the first only, the usual one is chosen.
 * @throws DomainError `request.invalid` for a window that is not available for this many days (RPT-03)
 */
function offered(input: AnalysisInput, days: number): analysis.Window | undefined {
  const { window } = input;
  if (window === undefined || window === '3h') return window;
  const isOffered = (within: number) => windowsFor({ days: within, perDay: 0, tags: [] }).windows.includes(window);
  if (isOffered(days)) return window;
  if (isWeekOrMonth(input)) return isOffered(2) ? window : undefined;
  throw invalidField('window', 'is not available for this many days');
}

/** A zone without a name, by its offset from UTC in hours. */
export function zoneOfShift(shift: number): string {
  const total = Math.round(Math.abs(shift) * 60);
  const two = (number: number) => String(number).padStart(2, '0');
  return total === 0 ? 'UTC' : `${shift < 0 ? '-' : '+'}${two(Math.floor(total / 60))}:${two(total % 60)}`;
}
