import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'settings.one_level': failure(400, 'Name either a group or a device, not both.'),
  'settings.invalid_value': failure(400, 'This value does not fit. Check the field and try again.'),
  'settings.nothing_differs': failure(409, 'The router reports nothing else than what is set.'),
  'settings.unknown_path': failure(
    400,
    'No router of this organization has a setting of this name. Check the path or add a schema file.',
  ),
  'settings.too_many_entries': failure(400, 'A list may have 32 entries of one level. Remove some first.'),
  'settings.too_many_schemas': failure(409, 'There are 10 schema files already. Delete one first.'),
  'settings.no_version': failure(404, 'There is no such version any more.'),
  'settings.no_table': failure(400, 'The text needs a header with SN and at least one path, and at most 2,000 rows.'),
  'settings.twice': failure(400, 'Two columns have this path. Remove one of them.'),
  'settings.no_schema': failure(404, 'There is no schema file of this name.'),
} as const;
