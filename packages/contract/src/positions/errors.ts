import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'positions.too_many': failure(413, 'A feed has at most 100,000 vehicles. Ask for one group.'),
} as const;
