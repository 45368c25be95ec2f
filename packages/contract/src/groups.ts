import { z } from 'zod';
import { everyRole, operation } from './operation.ts';
import { nothing, pageOf, pageQuery, tenantQuery } from './wire.ts';

/** Group on the wire (part 1 section 3), as far as the device screens need it. */
export const group = z.object({
  id: z.string(),
  /** Key; the default group's is the literal 'default+group+id'. */
  group: z.string(),
  groupName: z.string(),
  group_name: z.string(),
  description: z.string(),
  created: z.string(),
  /** Number of devices in the group. */
  deviceCount: z.number(),
  org: z.string(),
});
export type Group = z.infer<typeof group>;

export const listGroups = operation({
  id: 'groups.list',
  method: 'GET',
  path: '/data_manager/v1/dm/group',
  summary: 'Groups of an organization, the default group first.',
  scope: 'tenant',
  roles: everyRole,
  params: nothing,
  query: tenantQuery.extend(pageQuery.shape),
  body: nothing,
  bodyKind: 'none',
  response: pageOf(group),
  answer: 'json',
});

export const groupOperations = [listGroups] as const;
