import { z } from 'zod';
import { deletion, groupKey, line, pageOf, paging, tenantBody, tenantQuery } from '../conventions.ts';
import { managers, operation } from '../operation.ts';

/** Live links of an organization. */
export const MOST_LINKS = 200;
/** How long a link can live, hours: one hour to thirty days. */
export const SHORTEST_LINK_HOURS = 1;
export const LONGEST_LINK_HOURS = 720;
/** Days after its end that a link is listed, and its page says that it has ended. */
export const ENDED_LINK_DAYS = 90;
/** Vehicles of a group that a link shows. */
export const MOST_SHOWN = 500;
/** How often the page of a link asks again, seconds. */
export const LINK_SECONDS = 10;
/** A token: 256 random bits in base64url. */
export const TOKEN_LENGTH = 43;

/** Why a link has ended: its time, a person, its vehicle or group is gone, its maker may no longer share. */
export const linkEnds = ['expired', 'revoked', 'gone', 'maker'] as const;
export type LinkEnd = (typeof linkEnds)[number];

/** A link that shows where one vehicle, or those of a group, are. */
export const sharedLink = z.object({
  id: z.string(),
  org: z.string(),
  orgName: z.string(),
  /** For whom it is; only its organization sees this. */
  note: z.string(),
  /** The device or the key of the group that it shows; the other is null. */
  device: z.string().nullable(),
  group: z.string().nullable(),
  /** Vehicle number or serial number of the device, or name of the group; '' once it is gone. */
  shows: z.string(),
  /** The page says vehicle numbers and the name of the group. */
  showsNames: z.boolean(),
  state: z.enum(['active', ...linkEnds]),
  created: z.string(),
  /** E-mail address of its maker. */
  by: z.string(),
  expires: z.string(),
  ended: z.string().nullable(),
  /** How often its page was opened, and when last. */
  opened: z.number().int(),
  lastOpened: z.string().nullable(),
});
export type SharedLink = z.infer<typeof sharedLink>;

const PATH = '/data_manager/v1/dm/links';

export const listLinks = operation({
  id: 'links.list',
  method: 'GET',
  path: PATH,
  summary: 'Links that show vehicles without sign-in, with their end and how often they were opened, the newest first (RPM-06).',
  scope: 'tenant',
  roles: managers,
  query: tenantQuery.extend(paging.shape),
  response: pageOf(sharedLink),
});

export const createLink = operation({
  id: 'links.create',
  hasSecret: true,
  method: 'POST',
  path: PATH,
  summary:
    'Make a link that shows where one vehicle, or those of a group, are now, without sign-in; it ends by itself. The answer has its token once: the page is /share#token (RPM-06).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({
    device: z.string().max(60).optional(),
    /** Key of a group, instead of a device. */
    group: groupKey.min(1).optional(),
    note: line(120).optional(),
    showsNames: z.boolean(),
    hours: z.int().min(SHORTEST_LINK_HOURS).max(LONGEST_LINK_HOURS),
  }),
  bodyExample: { group: undefined, hours: 24 },
  response: z.object({ result: sharedLink, token: z.string() }),
});

export const endLink = operation({
  id: 'links.end',
  method: 'DELETE',
  path: `${PATH}/{link}`,
  summary: 'End a link at once; its page says so from then on (RPM-06).',
  scope: 'tenant',
  roles: managers,
  params: z.object({ link: z.string() }),
  body: tenantBody,
  response: deletion,
});

/** A vehicle of a link, as an array: its vehicle number, or null where names are not shown; latitude, longitude; time, epoch seconds. */
export const sharedVehicle = z
  .tuple([z.string().nullable(), z.number(), z.number(), z.number().int()])
  .describe('Vehicle number, or null; latitude and longitude (degrees, WGS 84); time of the position (epoch seconds).');
export type SharedVehicle = z.infer<typeof sharedVehicle>;

export const openLink = operation({
  id: 'links.open',
  method: 'POST',
  path: `${PATH}/open`,
  summary: 'What the page of a link shows: places and times, and nothing else of vehicles. No sign-in (RPM-06).',
  scope: 'public',
  roles: [],
  body: z.object({
    token: z.string().max(100),
    /** The page was opened, and does not only ask again. */
    first: z.boolean().optional(),
  }),
  response: z.object({
    result: z.object({
      /** Name of the vehicle or group; null where names are not shown. */
      name: z.string().nullable(),
      until: z.string(),
      vehicles: z.array(sharedVehicle),
      /** The group has more vehicles. */
      isCut: z.boolean(),
    }),
  }),
});
export type OpenedLink = z.infer<typeof openLink.response>['result'];

export const topics = ['links'] as const;
export const schemaNames = { SharedLink: sharedLink };
