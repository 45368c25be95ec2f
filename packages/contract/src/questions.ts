import type { ChartType, Condition } from './analysis.ts';
import type { FailureKey } from './errors.ts';
import type { PropertyType } from './property-types.ts';

/** What may be wrong with a question of Analysis, by the keys of the product (ANA-03). */
export type QuestionKey = 'RequireErr' | 'averageErr' | 'piechartErr' | 'conditonErr' | 'runChartErr' | 'runChartDateErr';

/** The field that a fault belongs to. */
export type QuestionField = 'group' | 'device' | 'property' | 'condition' | 'value' | 'date';

/** A question as it is judged before anything is asked. Empty text = not given. */
export interface Question {
  readonly chartType: ChartType;
  readonly group: string;
  readonly device: string;
  /** Undefined: none chosen, or one that is not known. */
  readonly property: PropertyType | undefined;
  readonly condition: Condition;
  readonly value: string;
  /** Whether its stretch of time is one calendar day; week and month never are. */
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
 * What is wrong with a question, at most one fault per field, in the order in which a person fills the fields; none =
 * it may be asked. The one place of the rules of ANA-03 (part 2, section 5): the console judges before it asks, the
 * server judges what programs ask and refuses with the first.
 */
export function faultsOfQuestion(question: Question): readonly QuestionFault[] {
  const all = [
    ...(question.group === '' ? [fault('RequireErr', 'group')] : []),
    // Without a property nothing can be said of what it must be.
    ...(question.property === undefined
      ? [fault('RequireErr', 'property')]
      : [...chartFaults[question.chartType](question), ...conditionFaults(question)]),
  ];
  return all.filter(({ field }, index) => all.findIndex((one) => one.field === field) === index);
}
