import { z } from 'zod';
import { everyRole, mainOnly, operation } from '../operation.ts';
import { boundAs } from '../rollouts/calls.ts';
import { deletion, line, pageOf, pageQuery, paragraph, sortOf } from '../conventions.ts';

/** Firmware in the API (part 2 section 3). */
export const firmware = z.object({
  pk: z.string(),
  version: z.string(),
  note: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Device model the image is for. */
  profile: z.string(),
  /** ISO 8601. */
  created: z.string(),
  updated: z.string(),
  /** The name of the uploaded file. */
  file: z.string(),
  /** Lower-case hex. */
  sha256: z.string(),
  /** Fingerprint of the signing key; null = no signature, routers check only the SHA-256. */
  signedBy: z.string().nullable(),
  /** Groups of the caller's scope with an active binding of it. */
  groups: z.number().int(),
  ...boundAs,
});
export type Firmware = z.infer<typeof firmware>;

export const firmwareSorts = ['version', 'profile', 'size', 'updated', 'created'] as const;

export const firmwareQuery = pageQuery.extend({
  realm: z.string().optional(),
  org: z.string().optional(),
  sort: sortOf(firmwareSorts),
  field: z.enum(['note', 'version', 'profile']).optional(),
  /** Only images for this model. */
  profile: z.string().max(60).optional(),
});

export const listFirmware = operation({
  id: 'firmware.list',
  method: 'GET',
  path: '/data_manager/v1/dm/firmware',
  summary: "Firmware of the main account's catalogue, newest first (FWR-01).",
  scope: 'tenant',
  roles: everyRole,
  query: firmwareQuery,
  response: pageOf(firmware),
});

export const uploadFirmware = operation({
  id: 'firmware.upload',
  method: 'POST',
  path: '/data_manager/v1/dm/firmware',
  summary:
    'Add an image to the catalogue (FWR-02). Its signed trailer must be from a trusted key, with the given model and version.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({
    realm: z.string().optional(),
    version: line(100),
    profile: line(60),
    note: paragraph(4_000).optional(),
    /** 'true' accepts an image without our trailer, for routers of other makers. */
    unsigned: z.enum(['true', 'false']).optional(),
  }),
  bodyKind: 'multipart',
  response: z.object({ result: firmware }),
});

export const deleteFirmware = operation({
  id: 'firmware.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/firmware/{firmware}',
  summary: 'Delete an image from the catalogue; rejected while a group has it bound, naming the groups.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ firmware: z.string() }),
  query: z.object({ realm: z.string().optional() }),
  response: deletion,
});

export const topics = ['firmware'] as const;

export const schemaNames = {
  Firmware: firmware,
};
