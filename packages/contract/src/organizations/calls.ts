import { z } from 'zod';
import { device } from '../devices/calls.ts';
import { impactQuery } from '../impact.ts';
import { everyRole, mainOnly, operation } from '../operation.ts';
import { arrivals } from '../rollouts/calls.ts';
import {
  fileFormat,
  accountPageOf,
  columnsOf,
  email,
  language,
  line,
  onlyRows,
  pageQuery,
  sortOf,
  tags,
  tenantBody,
  typedName,
} from '../conventions.ts';

/** Organization in the API: "project", "service" (part 2 section 3). */
export const organization = z.object({
  id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  type: z.literal('project'),
  phone: z.string(),
  address: z.string(),
  /** The contact's e-mail address. */
  contacter: z.string(),
  description: z.string(),
  /** Contacts without those of role vendorSuper (ORG-01). */
  contacts: z.array(z.object({ email: z.string(), phone: z.string(), address: z.string(), role: z.string().optional() })),
  /** Number of devices. */
  devices: z.number(),
  /** Number of devices whose subscription is expiring. */
  expire: z.number(),
  /** 'expiring/all'. */
  expireDevices: z.string(),
  /** Number of devices whose subscription has ended; the edit page adds them (DECISIONS). */
  ended: z.number(),
  /** Number of devices that are online. */
  online: z.number(),
  /** Number of devices whose routers never connected: not among those of which a share is online. */
  neverConnected: z.number(),
  /** Number of devices that are off with the ignition or for a rollout: not among these either (SAY-04). */
  offlineExpected: z.number(),
  /** Groups with failed routers in an active rollout, and with a paused one; at most some seconds old. */
  failedRollouts: z.number(),
  pausedRollouts: z.number(),
  /** Days that its readings and history are kept; null = as many as the installation keeps. */
  retentionDays: z.number().nullable(),
  /** Days that the installation keeps (TELEMETRY_DAYS): an organization keeps at most these. */
  maxRetentionDays: z.number(),
  created: z.string(),
  updated: z.string(),
  /** Position in the list it was read from, from 1. */
  rowId: z.number().int(),
  /**
   * Its users by e-mail address, at most 1,000 of each kind: all who have access, those with full control (admins who belong to it and are not limited),
   * and read-only ones (users without an own role). Guests, limited admins and those with an own role are among all of them.
   * Left out in a page of the list unless `accounts=true` requests them.
   */
  accounts: z.array(z.string()).optional(),
  fullControl: z.array(z.string()).optional(),
  onlyRead: z.array(z.string()).optional(),
});
export type Organization = z.infer<typeof organization>;

export const organizationSorts = [
  'name',
  'contact',
  'phone',
  'address',
  'devices',
  'created',
  'online',
  'expiring',
  'failedRollouts',
] as const;
export const rolloutFilters = ['failed', 'paused'] as const;
export const organizationFields = ['name', 'email', 'phone', 'address'] as const;

export const listOrganizations = operation({
  id: 'organizations.list',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/',
  summary:
    'Organizations: all of a main account, or the own one of an admin or user (ORG-01); for a single `id`, answers its ETag.',
  scope: 'tenant',
  roles: everyRole,
  query: pageQuery.extend({
    founder: z.string().optional(),
    sort: sortOf(organizationSorts),
    field: z.enum(organizationFields).optional(),
    /** One organization by its id. */
    id: z.string().optional(),
    /** Organizations with failed routers in a rollout, or with a paused one (ATT-03). */
    rollout: z.enum(rolloutFilters).optional(),
    /** Open the page that contains this organization, instead of `offset` (SHR-04). */
    around: z.string().max(60).optional(),
    /** 'true' adds its users to each organization of a page. */
    accounts: z.enum(['true', 'false']).optional(),
  }),
  response: accountPageOf(organization),
});

/** Columns that the file can have, by their ids on the list. */
export const organizationColumns = [
  'number',
  'name',
  'contact',
  'phone',
  'address',
  'devices',
  'online',
  'rollouts',
  'expiring',
] as const;

export const exportOrganizations = operation({
  id: 'organizations.export',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/export',
  summary: 'The organizations of a main account as CSV or Excel workbook (SHR-08).',
  scope: 'main',
  roles: mainOnly,
  query: listOrganizations.query.extend({
    language,
    format: fileFormat,
    columns: columnsOf(organizationColumns),
    only: onlyRows,
  }),
  response: z.string(),
  sends: 'file',
});

export const fleet = operation({
  id: 'organizations.fleet',
  method: 'GET',
  path: '/data_manager/v1/dm/fleet',
  summary:
    'Figures of all organizations of a main account together, and its stock: what the list of organizations does not answer (ATT-03).',
  scope: 'main',
  roles: mainOnly,
  response: z.object({
    result: z.object({
      organizations: z.number().int(),
      devices: z.number().int(),
      online: z.number().int(),
      /** Organizations with failed routers in a rollout; with a paused one. Each is the total of the list with that filter. */
      rollouts: z.object({ failed: z.number().int(), paused: z.number().int() }),
      /** Routers that no organization has claimed. */
      stock: z.number().int(),
    }),
  }),
});

/** The user-editable fields of an organization. */
const name = typedName(200).min(1);
const phone = line(200);
const address = line(1_000);
/** The most days, and further below those of the installation. */
export const MAX_RETENTION_DAYS = 3_650;

export const createOrganization = operation({
  id: 'organizations.create',
  method: 'POST',
  path: '/dmp_aa/api/v1/services/',
  summary: 'Create an organization with its default group and, if given, its contact, who is invited as its admin (ORG-03).',
  scope: 'main',
  roles: mainOnly,
  /** `dryRun`: check only, write nothing. */
  query: z.object({ dryRun: z.string().optional() }),
  body: z.object({
    realm: z.string().optional(),
    name,
    tags: tags.optional(),
    type: z.literal('project').optional(),
    phone: phone.optional(),
    address: address.optional(),
    /** A new account, or one of the main account without organization: its only role may be in a deleted organization. */
    contact: z.object({ email, name: typedName(100).optional() }).optional(),
    /**
     * Chosen by the caller: a repeated call with the same name and contact returns the organization that the first one created.
     */
    requestKey: z.uuid().optional(),
    /** Language of the invitation. */
    language,
  }),
  /** `id` is empty after a dry run. */
  response: z.object({ result: z.object({ id: z.string(), dryRun: z.boolean() }) }),
});

export const saveOrganization = operation({
  id: 'organizations.save',
  method: 'PUT',
  path: '/dmp_aa/api/v1/services/{org}',
  summary:
    'Change name, phone, address and tags of an organization (ORG-04), and for how many days it keeps readings and history. If-Match is honoured.',
  scope: 'organization',
  roles: mainOnly,
  params: z.object({ org: z.string() }),
  body: z.object({
    realm: z.string().optional(),
    name: name.optional(),
    phone: phone.optional(),
    address: address.optional(),
    tags: tags.optional(),
    retentionDays: z.int().min(1).max(MAX_RETENTION_DAYS).nullable().optional(),
  }),
  response: z.object({ result: organization }),
});

export const organizationDevices = operation({
  id: 'organizations.devices',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/{org}',
  summary: 'The devices of an organization, by serial number.',
  scope: 'organization',
  roles: everyRole,
  params: z.object({ org: z.string() }),
  query: pageQuery.pick({ limit: true, offset: true, cursor: true }),
  response: accountPageOf(device),
});

export const deleteOrganization = operation({
  id: 'organizations.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/org',
  summary:
    'Delete an organization (ORG-02): none of its users can sign in and its routers are back in stock at once; what is left is purged after 30 days.',
  scope: 'organization',
  roles: mainOnly,
  body: tenantBody,
  isBodyRequired: true,
  response: z.object({
    result: z.object({
      deleted: z.number(),
      devices: z
        .number()
        .describe('How many devices were taken back. If some could not be taken back now, they follow within minutes.'),
    }),
  }),
});

/** The most devices of one transfer. */
export const MAX_TRANSFER = 50_000;

/** What a transfer deletes or cancels for good. */
export const transferLosses = z.object({
  values: z.number().int().describe('Values of custom properties, without pictures.'),
  pictures: z.number().int().describe('Pictures of custom properties.'),
  settings: z.number().int().describe('Devices with router settings of their own.'),
  commands: z.number().int().describe('Commands that wait for their router.'),
});
export type TransferLosses = z.infer<typeof transferLosses>;

export const transferDevices = operation({
  id: 'organizations.transferDevices',
  method: 'POST',
  path: '/data_manager/v1/dm/org/device',
  summary:
    'Transfer devices to another organization of the same main account, all or none (OGL-04): routers, eSIMs and history move with them; positions, tags and group bindings do not, and what `lost` counts is deleted or cancelled. ?dryRun returns this and what the target starts on them, and transfers nothing.',
  scope: 'main',
  roles: mainOnly,
  query: impactQuery,
  body: z.object({
    realm: z.string().optional(),
    /** The organization all of them are in; left out, each may come from another one. */
    origin: z.string().max(60).optional(),
    target: z.string().max(60),
    serials: z.array(z.string().trim().min(1).max(100)).min(1).max(MAX_TRANSFER),
  }),
  /** 50,000 serial numbers of 100 characters. */
  maxBodyBytes: 8 * 1_048_576,
  /** How many changed their organization; those already in the target are left unchanged. */
  response: z.object({ result: z.object({ transferred: z.number() }), impact: arrivals, lost: transferLosses }),
});

export const topics = ['organizations'] as const;

export const schemaNames = {
  Organization: organization,
  TransferLosses: transferLosses,
};
