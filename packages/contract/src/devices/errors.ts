import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'device.serial_unknown': failure(400, 'Incorrect serial number', -6),
  'device.mac_mismatch': failure(400, 'Incorrect MAC address', -6),
  'device.duplicate': failure(409, 'find device error ', -6),
  'device.dates_reversed': failure(400, 'The expiry date must not be before the start date.', -6),
  'device.other_model': failure(409, 'This router is a different model. Enter the serial number of a router of this model.'),
  'device.name_taken': failure(409, 'A device with this name already exists.'),
} as const;
