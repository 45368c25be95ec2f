import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'esim.not_found': failure(404, 'This eSIM profile does not exist.'),
  'esim.serial_unknown': failure(400, 'SN not found'),
  'esim.eid_damaged': failure(
    400,
    'A spreadsheet has changed this EID into a number and lost its last digits. Format the column as text, and enter the 32 digits again.',
  ),
  'esim.eid_mismatch': failure(400, 'SN and EID not match'),
  'esim.eid_invalid': failure(400, 'The EID must be 32 digits with valid check digits.'),
  'esim.code_invalid': failure(
    400,
    'This is not a valid activation code. Enter all of it as the carrier gave it; most begin with LPA:1$.',
  ),
  'esim.confirmation_required': failure(400, 'Please enter the Confirmation Code'),
  'esim.confirmation_fixed': failure(
    409,
    'The confirmation code cannot be changed while the eSIM is on the router or being downloaded.',
  ),
  'esim.code_missing': failure(400, 'missing or invalid mandatory data'),
  'esim.code_fixed': failure(
    409,
    'The activation code cannot be changed: this profile is already on its router, or being downloaded.',
  ),
  'esim.iccid_invalid': failure(400, 'This is not a valid ICCID. Enter all 18 to 20 digits; they begin with 89.'),
  'esim.iccid_spreadsheet': failure(
    400,
    'A spreadsheet has replaced the last digits of this ICCID by zeros. Format the column as text and enter the number again.',
  ),
  'esim.iccid_check': failure(
    409,
    'One of the digits of this ICCID is wrong, or the carrier prints it without a check digit. Compare it with the card and confirm it.',
  ),
  'esim.iccid_longer': failure(
    409,
    'This ICCID has a digit too many: its first 19 digits are complete. Compare it with the card and confirm the right one.',
  ),
  'esim.iccid_required': failure(400, 'ICCID is required for preloaded profile.'),
  'esim.iccid_fixed': failure(409, 'The ICCID can be changed only for a preloaded profile that failed.'),
  'esim.duplicate': failure(409, 'This router already has this profile.'),
  'esim.full': failure(409, 'Out of memory. Delete one or more eSIMs to add others.'),
  'esim.is_preloaded': failure(409, 'The preloaded eSIM cannot be deleted.'),
  'esim.deleting': failure(409, 'This eSIM is being deleted and can no longer be changed.'),
  'esim.no_euicc': failure(409, 'This router has no eUICC: it reports a plain SIM or none. eSIMs need a router with an eUICC.'),
  'esim.switching': failure(409, 'The router has already begun to switch to another eSIM. Wait until it has, then switch back.'),
  'esim.not_on_router': failure(409, 'Only an eSIM that is on the router can be used.'),
  'esim.order_incomplete': failure(400, 'The order must list profiles of one router, each once and at a different position.'),
  'esim.not_failed': failure(409, 'Only an eSIM whose download failed can be retried.'),
} as const;
