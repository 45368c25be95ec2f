import { z } from 'zod';
import { everyRole, operation } from '../operation.ts';
import { searchLine, tenantQuery } from '../conventions.ts';

/** The longest text that is searched for. */
export const LONGEST_SEARCH = 100;
/** The most results of one kind. */
export const MOST_FOUND = 5;

export const foundKinds = ['device', 'sim', 'group', 'person', 'firmware', 'config', 'organization', 'view'] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Where the text was found. */
export const foundFields = [
  'vehicle',
  'serial',
  'iccid',
  'imei',
  'mtn',
  'mac',
  'name',
  'email',
  'version',
  'model',
  'carrier',
] as const;

/** One result of the palette (BLK-04). */
export const found = z.object({
  kind: z.enum(foundKinds),
  /** What its page is opened by: a device, eSIM profile, account, config file, organization or saved view by id, a group by key. */
  id: z.string(),
  /** Its name: a device by vehicle number, or by serial number if it has none. */
  title: z.string(),
  /** More about it: the serial number, the carrier, the e-mail address, the model; '' if there is none. For a view, its list. */
  detail: z.string(),
  /** Where the text was found, and the whole value. */
  field: z.enum(foundFields),
  value: z.string(),
  /** Id and name of its organization, for the main account; '' otherwise. */
  org: z.string(),
  orgName: z.string(),
});
export type Found = z.infer<typeof found>;

export const find = operation({
  id: 'search.find',
  method: 'GET',
  path: '/data_manager/v1/dm/search',
  summary:
    'Find devices, SIMs, groups, people, firmware, config files, organizations and saved views whose name or number contains a text, ignoring case; at most 5 of each kind, the closest first (BLK-04). One or two characters find what begins with them.',
  scope: 'tenant',
  roles: everyRole,
  query: tenantQuery.extend({ text: searchLine(LONGEST_SEARCH).min(1) }),
  response: z.object({ result: z.array(found) }),
});

export const schemaNames = {
  FoundObject: found,
};
