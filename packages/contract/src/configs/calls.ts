import { z } from 'zod';
import { adminOnly, operation } from '../operation.ts';
import { boundAs } from '../rollouts/calls.ts';
import { ANY_FILE, deletion, pageOf, pageQuery, paragraph, sortOf, tenantBody, tenantQuery } from '../conventions.ts';

/** The largest config file, in bytes. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

// Only admins may use config files (CFG-01; part 2, section 6).

/** Config file in the API (part 1 and part 2, section 3). */
export const config = z.object({
  pk: z.string(),
  id: z.string(),
  name: z.string(),
  note: z.string(),
  /** Bytes of the newest version. */
  size: z.number(),
  /** Number of the newest version; an upload of the same name makes the next one. */
  version: z.number().int(),
  /** Lower-case hex, of the newest version. */
  sha256: z.string(),
  /** ISO 8601. */
  created: z.string(),
  updated: z.string(),
  /** The name of the file. */
  file: z.string(),
  /** Number of groups with an active binding of it. */
  groups: z.number().int(),
  /** The same as `pk`, under the name that bindings use. */
  profile: z.string(),
  ...boundAs,
});
export type Config = z.infer<typeof config>;

export const configSorts = ['name', 'note', 'size', 'updated', 'created'] as const;

export const configQuery = tenantQuery.extend({
  ...pageQuery.shape,
  sort: sortOf(configSorts),
  field: z.enum(['name', 'note']).optional(),
  /** Open the page that contains this file, instead of `offset` (SHR-04). */
  around: z.string().max(60).optional(),
});

export const listConfigs = operation({
  id: 'configs.list',
  method: 'GET',
  path: '/data_manager/v1/dm/config',
  summary: 'Config files of an organization (CFG-01).',
  scope: 'organization',
  roles: adminOnly,
  query: configQuery,
  response: pageOf(config),
});

export const getConfig = operation({
  id: 'configs.get',
  method: 'GET',
  path: '/data_manager/v1/dm/config/{config}',
  summary: 'One config file with its versions and the groups it is bound to (CFG-03); answers an ETag.',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ config: z.string() }),
  query: tenantQuery,
  response: z.object({
    result: config.extend({
      versions: z.array(
        z.object({ number: z.number().int(), size: z.number(), sha256: z.string(), created: z.string(), by: z.string() }),
      ),
      boundBy: z.array(z.object({ group: z.string(), groupName: z.string(), version: z.number().int() })),
    }),
  }),
});

export const readConfigVersion = operation({
  id: 'configs.read',
  method: 'GET',
  path: '/data_manager/v1/dm/config/{config}/versions/{number}/contents',
  summary: 'The contents of one version of a config file, as it was uploaded. They may hold passwords, so each call is logged.',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ config: z.string(), number: z.coerce.number().int().min(1).max(2_147_483_647) }),
  query: tenantQuery,
  response: z.string(),
  sends: 'file',
  fileTypes: [ANY_FILE],
});

export const uploadConfig = operation({
  id: 'configs.upload',
  method: 'POST',
  path: '/data_manager/v1/dm/config',
  summary: 'Upload a config file in the field `config` (CFG-02); the same name again becomes the next version of that file.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend({ note: paragraph(1_000).optional() }),
  bodyKind: 'multipart',
  fileExample: 'ntp = pool.ntp.example\n',
  response: z.object({ result: config }),
});

export const saveConfig = operation({
  id: 'configs.save',
  method: 'PATCH',
  path: '/data_manager/v1/dm/config/{config}',
  summary: 'Change the description of a config file (CFG-03). If-Match is honoured.',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ config: z.string() }),
  body: tenantBody.extend({ note: paragraph(1_000) }),
  bodyKind: 'multipart',
  isFileOptional: true,
  fileExample: 'ntp = pool.ntp.example\n',
  response: z.object({ result: config }),
});

export const deleteConfig = operation({
  id: 'configs.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/config/{config}',
  summary: 'Delete config files, several ids separated by commas, all or none; rejected while bound, naming the groups (CFG-01).',
  scope: 'organization',
  roles: adminOnly,
  params: z.object({ config: z.string() }),
  query: tenantQuery,
  response: deletion,
});

export const topics = ['configs'] as const;

export const schemaNames = {
  Config: config,
};
