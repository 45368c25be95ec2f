import { z } from 'zod';
import { mainOnly, operation } from '../operation.ts';
import { reportInterval } from '../devices/report-interval.ts';
import { presence } from '../presence.ts';
import { rejection } from '../rejection.ts';
import { authentications, routerCertificate } from './router-certificates.ts';
import { importQuery, importResult } from '../devices/device-adding.ts';
import { columnsOf, deletion, fileFormat, language, line, onlyRows, pageOf, pageQuery, sortOf } from '../conventions.ts';

export * from './router-certificates.ts';

/** A router of the main account's inventory (DECISIONS, Inventory and claiming). */
export const router = z.object({
  id: z.string(),
  serial_number: z.string(),
  mac: z.string(),
  model: z.string(),
  endpointId: z.string(),
  /** The organization whose device claims it; null = in stock. */
  org: z.object({ id: z.string(), name: z.string() }).nullable(),
  device: z.string().nullable(),
  presence,
  last_seen: z.number().nullable(),
  created: z.string(),
  /** The previous secret is valid until then, epoch seconds; null = there is none, or the new one was not used. */
  previousSecretUntil: z.number().nullable(),
  /** Its secret was rotated and not used: the previous one is valid until 24 h after the first use. */
  awaitsSecretUse: z.boolean(),
  rejection,
  authentication: z.enum(authentications),
  /** When the last of its valid client certificates ends, epoch seconds; null = it has none. */
  certificateEnds: z.number().nullable(),
});
export type Router = z.infer<typeof router>;

/** A router with its secret: shown once. */
const minted = router.extend({ secret: z.string(), url: z.string(), controllerId: z.string() });

export const routerSorts = ['serial', 'mac', 'model', 'organization', 'presence', 'created'] as const;

const inventoryQuery = pageQuery.extend({
  sort: sortOf(routerSorts),
  field: z.enum(['serial', 'mac', 'model', 'endpoint', 'organization']).optional(),
  claimed: z.enum(['claimed', 'unclaimed']).optional(),
  around: z.string().max(60).optional(),
});

/** An endpoint id as typed (TR-369, Endpoint Identifier); empty = the default, `os::<OUI>-<serial>`. */
const endpointId = line(200);

/** Seconds between two reports. */
const reportSeconds = z.int().min(reportInterval.least).max(reportInterval.most);

export const listRouters = operation({
  id: 'inventory.list',
  method: 'GET',
  path: '/data_manager/v1/dm/inventory',
  summary: 'Every router the main account sells, claimed or in stock.',
  scope: 'main',
  roles: mainOnly,
  query: inventoryQuery,
  response: pageOf(router),
});

/** The settings of a router's USP agent, without its secret. */
export const agentSettings = z.object({ url: z.string(), endpointId: z.string(), controllerId: z.string() });

export const getRouter = operation({
  id: 'inventory.get',
  method: 'GET',
  path: '/data_manager/v1/dm/inventory/{router}',
  summary: 'One router of the inventory, with the settings of its agent.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string() }),
  response: z.object({
    result: router.extend({
      agent: agentSettings,
      /** The newest first. */
      certificates: z.array(routerCertificate),
      /** Whether this server asks clients for certificates: it serves TLS itself. */
      asksForCertificates: z.boolean(),
    }),
  }),
});

/** Columns that the file can have, by their ids on the list. */
export const routerColumns = ['serial', 'mac', 'model', 'endpoint', 'organization', 'presence', 'lastSeen', 'created'] as const;

export const exportRouters = operation({
  id: 'inventory.export',
  method: 'GET',
  path: '/data_manager/v1/dm/inventory/export',
  summary: 'The inventory as CSV or Excel workbook, without secrets.',
  scope: 'main',
  roles: mainOnly,
  query: inventoryQuery.extend({
    language,
    zone: z.string().max(60).optional(),
    format: fileFormat,
    columns: columnsOf(routerColumns),
    only: onlyRows,
  }),
  response: z.string(),
  sends: 'file',
});

export const listModels = operation({
  id: 'inventory.models',
  method: 'GET',
  path: '/data_manager/v1/dm/inventory/models',
  summary: 'Models of the routers in stock, at most 200, by name (OLD-04).',
  scope: 'main',
  roles: mainOnly,
  query: z.object({ realm: z.string().optional() }),
  response: z.object({ result: z.array(z.object({ model: z.string() })) }),
});

/** The most models that have settings. */
export const MAX_MODELS = 200;

/** The settings of a model; null = as the installation sets. A group's own interval comes first. */
const modelSettings = z.object({ model: z.string(), reportSeconds: z.number().nullable() });
export type ModelSettings = z.infer<typeof modelSettings>;
const modelList = z.object({
  result: z.object({
    models: z.array(modelSettings),
    /** Seconds between two reports where neither the group nor the model sets any (REPORT_SECONDS). */
    reportSeconds: z.number(),
  }),
});

export const listModelSettings = operation({
  id: 'inventory.modelSettings',
  method: 'GET',
  path: '/data_manager/v1/dm/inventory/model_settings',
  summary: 'How often routers of each model of the inventory report their readings; at most 200 models, by name.',
  scope: 'main',
  roles: mainOnly,
  response: modelList,
});

export const saveModelSettings = operation({
  id: 'inventory.saveModelSettings',
  method: 'PUT',
  path: '/data_manager/v1/dm/inventory/model_settings',
  summary: 'Set how often routers of some models report, all or none; connected routers follow within half a minute.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({
    models: z
      .array(z.object({ model: line(60).min(1), reportSeconds: reportSeconds.nullable() }))
      .min(1)
      .max(MAX_MODELS),
  }),
  response: modelList,
});

export const addRouter = operation({
  id: 'inventory.add',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/inventory',
  summary: 'Add a router to the inventory; its secret is minted and shown once.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({
    // With its OUI and a hyphen it must fit the 50 characters of an endpoint id's instance (TR-369).
    serial_number: line(43).regex(/^[A-Za-z0-9._-]+$/u, 'may contain letters, digits, dot, hyphen and underscore'),
    mac: z.string().trim().min(1).max(40),
    model: line(60).optional(),
    endpointId: endpointId.optional(),
  }),
  response: z.object({ result: minted }),
});

export const updateRouter = operation({
  id: 'inventory.update',
  method: 'PATCH',
  path: '/data_manager/v1/dm/inventory/{router}',
  summary: 'Change the endpoint id of a router, or how it proves its identity; its secret stays, and its connection is closed.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string() }),
  body: z.object({ endpointId: endpointId.optional(), authentication: z.enum(authentications).optional() }),
  response: z.object({ result: router }),
});

export const importRouters = operation({
  id: 'inventory.import',
  hasSecret: true,
  queue: 'imports',
  method: 'POST',
  path: '/data_manager/v1/dm/inventory/batch',
  summary:
    'Add routers from a CSV or an Excel workbook (SN, MAC, optional Model and Endpoint ID). The minted secrets are returned once, as rows to save.',
  scope: 'main',
  roles: mainOnly,
  query: importQuery,
  body: z.object({ realm: z.string().optional() }),
  bodyKind: 'multipart',
  fileExample: 'SN,MAC,Model\nHL5-20260117,020000A1B2C3,HL-R520 5G\n',
  response: z.object({
    result: importResult.extend({
      minted: z.array(z.object({ serial: z.string(), mac: z.string(), endpointId: z.string(), secret: z.string() })),
    }),
  }),
});

export const deleteRouters = operation({
  id: 'inventory.delete',
  method: 'DELETE',
  path: '/data_manager/v1/dm/inventory',
  summary: 'Remove routers from the inventory; if one belongs to an organization, the call is rejected and none is deleted.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({ routers: z.array(z.string()).min(1).max(10_000) }),
  response: deletion,
});

export const rotateSecret = operation({
  id: 'inventory.rotateSecret',
  hasSecret: true,
  method: 'POST',
  path: '/data_manager/v1/dm/inventory/{router}/secret',
  summary: 'Mint a new secret for a router; the old one is valid until 24 h after the first use of the new one.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string() }),
  response: z.object({ result: minted }),
});

export const endPreviousSecret = operation({
  id: 'inventory.endPreviousSecret',
  method: 'DELETE',
  path: '/data_manager/v1/dm/inventory/{router}/secret/previous',
  summary: 'End the old secret of a router after a rotation, because others know it; the connection is closed.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ router: z.string() }),
  response: z.object({ result: router }),
});

export const topics = ['inventory'] as const;

export const schemaNames = {
  AgentSettings: agentSettings,
  ModelSettings: listModelSettings.response.shape.result,
  NamedReference: router.shape.org.unwrap(),
  NewRouter: addRouter.response.shape.result,
  Router: router,
  RouterCertificate: routerCertificate,
};
