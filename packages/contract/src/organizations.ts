import { z } from 'zod';
import { device } from './devices.ts';
import { everyRole, mainOnly, operation } from './operation.ts';
import { accountPageOf, beginsAt, email, language, line, pageQuery, sortOf, tags, tenantBody } from './wire.ts';

/** Organization on the wire: "project", "service" (part 2 section 3). */
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
  created: z.string(),
  updated: z.string(),
  /** Place in the list it was read in, from 1. */
  rowId: z.number().int(),
  /**
   * People of it by e-mail address, at most 1,000 of each kind: all, those with full control (admins), those who look (users).
   * Left out in a page of the list unless `accounts=true` asks for them.
   */
  accounts: z.array(z.string()).optional(),
  fullControl: z.array(z.string()).optional(),
  onlyRead: z.array(z.string()).optional(),
});
export type Organization = z.infer<typeof organization>;

export const organizationSorts = ['name', 'contact', 'phone', 'address', 'devices', 'created'] as const;
export const organizationFields = ['name', 'email', 'phone', 'address'] as const;

export const listOrganizations = operation({
  id: 'organizations.list',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/',
  summary:
    'Organizations: all of a main account, or the own one of an admin or user (ORG-01); asked for one `id`, answers its ETag.',
  scope: 'tenant',
  roles: everyRole,
  query: pageQuery.extend({
    founder: z.string().optional(),
    sort: sortOf(organizationSorts),
    field: z.enum(organizationFields).optional(),
    /** One organization by its id. */
    id: z.string().optional(),
    /** Open the page this organization stands on, instead of `offset` (SHR-04). */
    around: z.string().max(60).optional(),
    /** 'true' adds its people to each organization of a page. */
    accounts: z.enum(['true', 'false']).optional(),
  }),
  /** `offset` tells where the page begins, also after `around`. */
  response: accountPageOf(organization).extend(beginsAt),
});

export const exportOrganizations = operation({
  id: 'organizations.export',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/export',
  summary: 'The organizations of a main account as CSV (SHR-08).',
  scope: 'main',
  roles: mainOnly,
  query: listOrganizations.query.extend({ language }),
  response: z.string(),
  answer: 'file',
});

/** An organization's own fields, as people type them. */
const name = line(200).min(1);
const phone = line(200);
const address = line(1_000);

export const createOrganization = operation({
  id: 'organizations.create',
  method: 'POST',
  path: '/dmp_aa/api/v1/services/',
  summary:
    'Create an organization with its default group and, where one is named, its contact, who is invited as its admin (ORG-03).',
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
    /** A new account, or one of the main account that belongs nowhere: not even with one role, but in an organization that was deleted. */
    contact: z.object({ email, name: line(100).optional() }).optional(),
    /** Made up by the caller: sent again with the same name and contact, it answers the organization that it created before. */
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
  summary: 'Change name, phone, address and tags of an organization (ORG-04). If-Match is honoured.',
  scope: 'organization',
  roles: mainOnly,
  params: z.object({ org: z.string() }),
  body: z.object({
    realm: z.string().optional(),
    name: name.optional(),
    phone: phone.optional(),
    address: address.optional(),
    tags: tags.optional(),
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
    'Delete an organization (ORG-02): nobody of it can sign in and its routers are back in stock at once; what is left is purged after 30 days.',
  scope: 'organization',
  roles: mainOnly,
  body: tenantBody,
  /** How many devices were taken back. */
  response: z.object({ result: z.object({ deleted: z.number(), devices: z.number() }) }),
});

/** The most devices of one transfer. */
export const MAX_TRANSFER = 50_000;

export const transferDevices = operation({
  id: 'organizations.transferDevices',
  method: 'POST',
  path: '/data_manager/v1/dm/org/device',
  summary:
    'Give devices to another organization of the same main account, all or none (OGL-04): routers and history go along, group bindings do not.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({
    realm: z.string().optional(),
    /** The organization all of them are in; left out, each may come from another one. */
    origin: z.string().max(60).optional(),
    target: z.string().max(60),
    serials: z.array(z.string().trim().min(1).max(100)).min(1).max(MAX_TRANSFER),
  }),
  /** 50,000 serial numbers of 100 characters. */
  maxBodyBytes: 8 * 1_048_576,
  /** How many changed their organization; those that were in the target already are left as they are. */
  response: z.object({ result: z.object({ transferred: z.number() }) }),
});

export const organizationOperations = [
  listOrganizations,
  exportOrganizations,
  createOrganization,
  saveOrganization,
  organizationDevices,
  deleteOrganization,
  transferDevices,
] as const;
