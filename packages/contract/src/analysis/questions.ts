import type { ChartType, Condition } from './calls.ts';
import type { FailureKey } from '../failures.ts';
import type { PropertyType } from '../properties/property-types.ts';

/** The possible faults of an Analysis query, by the keys of the product (ANA-03). */
export type QuestionKey = 'RequireErr' | 'averageErr' | 'piechartErr' | 'conditonErr' | 'runChartErr' | 'runChartDateErr';

/** The field of a fault. */
export type QuestionField = 'group' | 'device' | 'property' | 'condition' | 'value' | 'date';

/** A query before its validation. Empty text = not given. */
export interface Question {
  readonly chartType: ChartType;
  readonly group: string;
  readonly device: string;
  /** Undefined: none chosen, or an unknown one. */
  readonly property: PropertyType | undefined;
  readonly condition: Condition;
  readonly value: string;
  /** Whether its time range is one calendar day; week and month never are. */
  readonly singleDay: boolean;
}

export interface QuestionFault {
  readonly key: QuestionKey;
  readonly field: QuestionField;
  readonly failure: FailureKey;
}

const failureOf: Readonly<Record<QuestionKey, FailureKey>> = {
  RequireErr: 'analysis.required',
  averageErr: 'analysis.average',
  piechartErr: 'analysis.piechart',
  conditonErr: 'analysis.condition',
  runChartErr: 'analysis.run_chart',
  runChartDateErr: 'analysis.run_chart_date',
};

function fault(key: QuestionKey, field: QuestionField): QuestionFault {
  return { key, field, failure: failureOf[key] };
}

/** True for a text that is a number: '-71', ' 3.5 ', '1e3'. */
export function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function conditionFaults({ condition, value, property }: Question): QuestionFault[] {
  const compares = condition === 'more' || condition === 'less';
  if (compares && property !== 'number') return [fault('conditonErr', 'condition')];
  if (condition !== 'appear' && value === '') return [fault('RequireErr', 'value')];
  if (compares && !isNumeric(value)) return [fault('conditonErr', 'value')];
  if (property === 'bool' && value !== '' && value !== 'true' && value !== 'false') return [fault('conditonErr', 'value')];
  return [];
}

const chartFaults: Readonly<Record<ChartType, (question: Question) => QuestionFault[]>> = {
  device: () => [],
  record: ({ property, value }) => (property === 'number' && value === '' ? [fault('RequireErr', 'value')] : []),
  average: ({ property }) => (property === 'number' ? [] : [fault('averageErr', 'property')]),
  sumarty: ({ property, device }) => (property === 'number' && device === '' ? [fault('RequireErr', 'device')] : []),
  piechart: ({ property }) => (property === 'number' ? [fault('piechartErr', 'property')] : []),
  runChart: ({ property, device, singleDay }) => [
    ...(property === 'number' ? [] : [fault('runChartErr', 'property')]),
    ...(device === '' ? [fault('runChartErr', 'device')] : []),
    ...(singleDay ? [] : [fault('runChartDateErr', 'date')]),
  ],
};

/**
 * The faults of a query, at most one per field, in the order of the form's fields; none = valid. The rules of ANA-03 exist only
 * here (part 2, section 5): the console validates before it sends, the server validates API calls and rejects with the first
 * fault.
 */
export function faultsOfQuestion(question: Question): readonly QuestionFault[] {
  const all = [
    ...(question.group === '' ? [fault('RequireErr', 'group')] : []),
    // Without a property its type cannot be checked.
    ...(question.property === undefined
      ? [fault('RequireErr', 'property')]
      : [...chartFaults[question.chartType](question), ...conditionFaults(question)]),
  ];
  return all.filter(({ field }, index) => all.findIndex((one) => one.field === field) === index);
}
