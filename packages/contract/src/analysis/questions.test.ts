import { describe, expect, test } from 'vitest';
import { chartTypes } from './calls.ts';
import { faultsOfQuestion, isNumeric, type Question } from './questions.ts';

const whole: Question = {
  chartType: 'device',
  group: 'default+group+id',
  device: 'd1',
  property: 'number',
  condition: 'appear',
  value: '',
  singleDay: true,
};
const faults = (change: Partial<Question>) =>
  faultsOfQuestion({ ...whole, ...change }).map(({ key, field }) => `${key} ${field}`);

describe('ANA-03-partial the rules of an Analysis query', () => {
  test.each(chartTypes)('%s needs a group and a property', (chartType) => {
    expect(faults({ chartType, group: '' })).toContain('RequireErr group');
    expect(faults({ chartType, property: undefined })).toEqual(['RequireErr property']);
  });

  test.each([
    ['device of anything', {}, []],
    ['average of a number', { chartType: 'average' }, []],
    ['average of a bool', { chartType: 'average', property: 'bool' }, ['averageErr property']],
    ['average of a text', { chartType: 'average', property: 'string' }, ['averageErr property']],
    ['pie chart of a text', { chartType: 'piechart', property: 'string' }, []],
    ['pie chart of a number', { chartType: 'piechart' }, ['piechartErr property']],
    ['more than a number', { condition: 'more', value: '-71.5' }, []],
    ['more than nothing', { condition: 'more' }, ['RequireErr value']],
    ['less than with a text', { condition: 'less', value: 'low' }, ['conditonErr value']],
    ['less of a bool', { condition: 'less', value: '1', property: 'bool' }, ['conditonErr condition']],
    ['more of a text', { condition: 'more', value: '1', property: 'string' }, ['conditonErr condition']],
    ['equal to nothing', { condition: 'equal' }, ['RequireErr value']],
    ['equal to a text', { condition: 'equal', value: 'Verizon', property: 'string' }, []],
    ['equal to true', { condition: 'equal', value: 'true', property: 'bool' }, []],
    ['equal to yes of a bool', { condition: 'equal', value: 'yes', property: 'bool' }, ['conditonErr value']],
    ['record of a number without a value', { chartType: 'record' }, ['RequireErr value']],
    ['record of a number with a value', { chartType: 'record', condition: 'equal', value: '3' }, []],
    ['record of a bool', { chartType: 'record', property: 'bool' }, []],
    ['run chart', { chartType: 'runChart' }, []],
    ['run chart of a bool', { chartType: 'runChart', property: 'bool' }, ['runChartErr property']],
    ['run chart without a device', { chartType: 'runChart', device: '' }, ['runChartErr device']],
    ['run chart of a week', { chartType: 'runChart', singleDay: false }, ['runChartDateErr date']],
    ['sumarty of a number without a device', { chartType: 'sumarty', device: '' }, ['RequireErr device']],
    ['sumarty of a text without a device', { chartType: 'sumarty', device: '', property: 'string' }, []],
  ] as const satisfies readonly (readonly [string, Partial<Question>, readonly string[]])[])('%s', (_, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });

  test('a field reports one fault at a time', () => {
    expect(faults({ chartType: 'record', condition: 'equal' })).toEqual(['RequireErr value']);
  });
});

test('a text is a number if it can be read as a finite one', () => {
  expect(['0', ' -71 ', '3.5', '1e3'].every(isNumeric)).toBe(true);
  expect(['', ' ', 'x', 'Infinity', '1,5', 'NaN'].some(isNumeric)).toBe(false);
});
