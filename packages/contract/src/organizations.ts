import { z } from 'zod';
import { everyRole, operation } from './operation.ts';
import { accountPageOf, nothing, pageQuery } from './wire.ts';

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
  created: z.string(),
  updated: z.string(),
});
export type Organization = z.infer<typeof organization>;

export const organizationSorts = ['name', 'contact', 'phone', 'address', 'devices', 'created'] as const;
export const organizationFields = ['name', 'email', 'phone', 'address'] as const;

export const listOrganizations = operation({
  id: 'organizations.list',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/',
  summary: 'Organizations: all of a main account, or the own one of an admin or user (ORG-01).',
  scope: 'tenant',
  roles: everyRole,
  params: nothing,
  query: pageQuery.extend({
    founder: z.string().optional(),
    sort: z.enum(organizationSorts.flatMap((sort) => [sort, `-${sort}` as const])).optional(),
    field: z.enum(organizationFields).optional(),
    /** One organization by its id. */
    id: z.string().optional(),
  }),
  body: nothing,
  bodyKind: 'none',
  response: accountPageOf(organization),
  answer: 'json',
});

export const exportOrganizations = operation({
  id: 'organizations.export',
  method: 'GET',
  path: '/dmp_aa/api/v1/services/export',
  summary: 'The organizations of a main account as CSV (SHR-08).',
  scope: 'main',
  roles: ['main'],
  params: nothing,
  query: listOrganizations.query.extend({ language: z.enum(['en-US', 'zh-TW']).optional() }),
  body: nothing,
  bodyKind: 'none',
  response: z.string(),
  answer: 'file',
});

export const organizationOperations = [listOrganizations, exportOrganizations] as const;
