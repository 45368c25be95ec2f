import type { ApiError } from '../../../api/errors.ts';
import type { Field } from './device-add.ts';

/** The field of a server failure (DEV-06): MAC errors at the MAC, all others at the serial number. */
export function fieldOf(error: ApiError): Field | undefined {
  if (error.key === 'device.mac_mismatch' || error.detail === 'mac') return 'mac';
  if (error.key === 'device.dates_reversed') return 'expired';
  return error.code === -6 ? 'serial_number' : undefined;
}
