import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'analysis.required': failure(400, 'Please enter the {field}'),
  'analysis.average': failure(400, 'An average needs a numeric property.'),
  'analysis.piechart': failure(400, 'A pie chart needs a non-numeric property.'),
  'analysis.condition': failure(400, 'Condition Error'),
  'analysis.run_chart': failure(400, 'A run chart needs a numeric property and a device.'),
  'analysis.run_chart_date': failure(400, 'A run chart shows a single day.'),
  'analysis.too_many_pins': failure(409, 'The overview already has 12 charts. Remove one first.'),
} as const;
