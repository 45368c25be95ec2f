/**
 * Every failure the product speaks of, by key, with its HTTP status. Total by type: a service throws a key of this
 * table and nothing else. The messages are what a person reads when the console has no words of its own.
 */
export const failures = {
  'request.invalid': { status: 400, message: 'The request is not valid.' },
  'request.too_large': { status: 413, message: 'The request is too large.' },
  'request.unsupported_media_type': { status: 415, message: 'This kind of body is not understood here.' },
  'request.origin': { status: 403, message: 'This request came from another site and was refused.' },
  'session.missing': { status: 401, message: 'Access token not found' },
  'session.invalid': { status: 401, message: 'Auth token timeout.' },
  'account.wrong_password': { status: 403, message: 'The e-mail address or the password is not right.' },
  'account.no_roles': { status: 403, message: 'Permissions have not been set yet.' },
  'account.too_many_tries': { status: 429, message: 'Too many tries. Please wait a moment and try again.' },
  'account.link_invalid': { status: 410, message: 'This link has expired or was used already. Please ask for a new one.' },
  'account.weak_password': {
    status: 400,
    message: 'Please choose a password of 10 to 200 characters that is not your e-mail address.',
  },
  'permission.denied': { status: 403, message: 'Permission denied' },
  not_found: { status: 404, message: 'Not found' },
  'conflict.stale': { status: 412, message: 'Somebody else saved this in the meantime. Please look at the current values.' },
  'device.serial_unknown': { status: 400, message: 'Incorrect serial number', code: -6 },
  'device.mac_mismatch': { status: 400, message: 'Incorrect MAC address', code: -6 },
  'device.duplicate': { status: 409, message: 'find device error ', code: -6 },
  'device.dates_reversed': { status: 400, message: 'The expiry date must not be before the start date.', code: -6 },
  'request.org_required': { status: 400, message: 'Please select an org' },
  'inventory.serial_taken': { status: 409, message: 'This serial number is in the inventory already.' },
  'inventory.mac_taken': { status: 409, message: 'This MAC address is in the inventory already.' },
  'inventory.claimed': { status: 409, message: 'This router belongs to an organization. Delete its device first.' },
  'group.not_found': { status: 404, message: 'This group does not exist.' },
  'csv.not_csv': { status: 400, message: 'file type error' },
  'csv.header': { status: 400, message: 'The first line must name the columns.' },
  'csv.empty': { status: 400, message: 'The file has no rows.' },
  'csv.all_failed': { status: 400, message: 'None of the rows could be added.' },
  'server.busy': { status: 503, message: 'The server is busy. Please try again in a moment.' },
  'server.fault': { status: 500, message: 'Something went wrong on our side. Nothing was changed; please try again.' },
} as const satisfies Record<string, { status: number; message: string; code?: number }>;

export type FailureKey = keyof typeof failures;
