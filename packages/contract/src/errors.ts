import { errors as ofDomains } from './domains/errors.ts';
import { failureRow as failure } from './failure-row.ts';

/** The failures that a person meets in the console, which has a text of its own for each; see `failures`. */
export const failuresOfPeople = {
  'request.invalid': failure(400, 'The request is not valid.'),
  'request.too_large': failure(413, 'The request is too large.'),
  'request.unsupported_media_type': failure(415, 'This content type is not supported.'),
  'request.origin': failure(403, 'This request came from another site and was rejected.'),
  'request.too_many': failure(429, 'Too many of your requests of this kind are still running. Wait a moment and try again.'),
  'permission.denied': failure(403, 'Permission denied'),
  /** The database was restored, and not the master key; or the row was changed. */
  'secret.unreadable': failure(
    409,
    'A stored secret cannot be opened with the master key of this server. Enter it again, or have the operator restore the key.',
  ),
  not_found: failure(404, 'Not found'),
  'conflict.stale': failure(412, 'Someone else changed this. Check the current values.'),
  'request.org_required': failure(400, 'Please select an org'),
  'impact.changed': failure(409, 'The effect of this change is no longer what was shown. Check it again.'),
  'export.too_large': failure(413, 'A workbook can hold at most 1,048,575 rows. Narrow the query, or save it as CSV.'),
  'csv.not_csv': failure(400, 'file type error'),
  'csv.header': failure(400, 'The first line must contain the column names.'),
  'csv.dates_ambiguous': failure(
    400,
    'Dates of the file can be read in two ways. Choose whether the day or the month comes first.',
  ),
  'csv.empty': failure(400, 'The file has no rows.'),
  'csv.all_failed': failure(400, 'None of the rows could be added.'),
  'server.busy': failure(503, 'The server is busy. Try again in a moment.'),
  'server.fault': failure(500, 'Something went wrong on our side. Before you repeat a change, check whether it was saved.'),
  ...ofDomains,
} as const;
