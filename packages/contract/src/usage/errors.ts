import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'plan.not_found': failure(404, 'This data plan no longer exists.'),
  'plan.name_taken': failure(409, 'A data plan with this name already exists.'),
  'plan.sims_taken': failure(409, 'Another data plan already applies to these SIMs. Change that one, or choose other SIMs.'),
  'plan.too_many': failure(409, 'An organization can have at most 50 data plans. Delete one first.'),
  'plan.iccids_damaged': failure(
    400,
    'A spreadsheet has replaced the last digits of ICCIDs by zeros. Format the column as text and enter the numbers again.',
  ),
  'plan.iccids_doubtful': failure(
    409,
    'One of the digits of these ICCIDs is wrong or too many, or the carrier prints them without a check digit. Compare them with the cards and confirm them.',
  ),
  'plan.too_many_sims': failure(409, 'An organization can have at most 500,000 SIMs.'),
} as const;
