import { z } from 'zod';
import { ANY_FILE, line, pageOf, paging, tenantBody, tenantQuery } from '../conventions.ts';
import { isHost, TOOL_LIMITS } from './limits.ts';
import { adminOnly, everyRole, operation } from '../operation.ts';

/** What a router tests by itself (TR-181 diagnostics), and the files that it sends. */
export const toolKinds = ['ping', 'traceroute', 'dns', 'download', 'upload', 'capture', 'log'] as const;
export type ToolKind = (typeof toolKinds)[number];

/** Bytes that a speed test transfers. */
export const speedTestBytes = [1_000_000, 5_000_000, 10_000_000, 25_000_000] as const;
/** The largest log that a router may send, bytes. */
export const MAX_LOG_BYTES = 5_000_000;
/** Tools that run at once in one organization. */
export const MOST_RUNNING_TOOLS = 20;
/** Days that results are kept, and the files of captures and logs. */
export const TOOL_DAYS = 90;
export const TOOL_FILE_DAYS = 7;

const within = ({ least, most }: { readonly least: number; readonly most: number }) => z.number().int().min(least).max(most);

const host = line(253).refine(isHost, 'must be a host name or an address');
const hostOrNone = line(253).refine((text) => text === '' || isHost(text), 'must be a host name or an address');
const ipVersion = z.enum(['any', '4', '6']);
const bytes = z
  .number()
  .int()
  .refine((value) => (speedTestBytes as readonly number[]).includes(value), `must be one of ${speedTestBytes.join(', ')}`)
  .meta({ examples: [1_000_000] });

const reachTests = [
  z.object({
    tool: z.literal('ping'),
    host,
    ipVersion,
    count: within(TOOL_LIMITS.pings),
    bytes: within(TOOL_LIMITS.pingBytes),
  }),
  z.object({ tool: z.literal('traceroute'), host, ipVersion, hops: within(TOOL_LIMITS.hops) }),
  z.object({ tool: z.literal('dns'), host, server: hostOrNone }),
] as const;

/** The tests that an alert rule can run: they transfer little and keep no content. */
export const ruleTest = z.discriminatedUnion('tool', reachTests);
export type RuleTest = z.output<typeof ruleTest>;

/** A tool with its arguments. `server`: an address; empty = the DNS server of the router. `bytes` are transferred over the router's SIM. */
export const toolInput = z.discriminatedUnion('tool', [
  ...reachTests,
  z.object({ tool: z.literal('download'), bytes }),
  z.object({ tool: z.literal('upload'), bytes }),
  z.object({ tool: z.literal('capture'), seconds: within(TOOL_LIMITS.seconds), bytes: within(TOOL_LIMITS.captureBytes) }),
  z.object({ tool: z.literal('log') }),
]);
export type ToolInput = z.output<typeof toolInput>;

/** What a router reported about its test. `unknown-host` … are its own reasons; `other`: one that the standard does not name. */
export const toolStatuses = [
  'complete',
  'unknown-host',
  'no-route',
  'too-many-hops',
  'no-server',
  'no-connection',
  'no-answer',
  'interrupted',
  'not-uploaded',
  'other',
] as const;
export type ToolStatus = (typeof toolStatuses)[number];

const milliseconds = z.number().nullable();
const status = z.enum(toolStatuses);
const address = z.string().nullable();
const speed = {
  status,
  address,
  /** Transferred, and in how many milliseconds: from the first byte to the last. */
  transferred: z.number(),
  milliseconds,
  bitsPerSecond: z.number().nullable(),
};

/** The result of a run that ended. Times are milliseconds; null = not reported. */
export const toolResult = z.discriminatedUnion('tool', [
  z.object({
    tool: z.literal('ping'),
    status,
    address,
    answered: z.number(),
    lost: z.number(),
    least: milliseconds,
    average: milliseconds,
    most: milliseconds,
  }),
  z.object({
    tool: z.literal('traceroute'),
    status,
    address,
    /** In their order; one without an address did not answer. */
    hops: z.array(z.object({ host: z.string(), address: z.string(), times: z.array(z.number()) })),
  }),
  z.object({
    tool: z.literal('dns'),
    status,
    answers: z.array(
      z.object({
        status: z.enum(['found', 'unknown-host', 'no-server', 'timeout', 'other']),
        addresses: z.array(z.string()),
        server: z.string(),
        milliseconds,
      }),
    ),
  }),
  z.object({ tool: z.literal('download'), ...speed }),
  z.object({ tool: z.literal('upload'), ...speed }),
  z.object({ tool: z.literal('capture'), status, packets: z.number().nullable() }),
  z.object({ tool: z.literal('log'), status }),
]);
export type ToolResult = z.output<typeof toolResult>;

/**
 * Why a run failed. `unsupported`: the router has no such test. `offline`: it was not connected, nothing was sent. `no-end`: its end was not
 * reported in time. `not-allowed`: nothing was sent, because the address, or the person who saved the rule, is no longer allowed. The others
 * are of the router.
 */
export const toolFailures = [
  'unsupported',
  'busy',
  'rejected',
  'interrupted',
  'failed',
  'offline',
  'no-end',
  'not-allowed',
] as const;

const runFailure = z.object({ cause: z.enum(toolFailures), message: z.string() });
const runFile = z.object({ bytes: z.number(), sha256: z.string() });

export const toolRun = z.object({
  id: z.string(),
  device: z.string(),
  input: toolInput,
  state: z.enum(['running', 'done', 'failed']),
  /** Email address of the user who started it, or the name of the API key or of the alert rule. */
  by: z.string(),
  /** The alert rule that ran it; null = a user or an API key. */
  rule: z.string().nullable(),
  started: z.string(),
  ended: z.string().nullable(),
  result: toolResult.nullable(),
  /** `message`: the router's own, on one line. */
  failure: runFailure.nullable(),
  /** What the router sent: a capture or a log. Null = nothing, or deleted after 7 days. */
  file: runFile.nullable(),
});
export type ToolRun = z.output<typeof toolRun>;

/** Networks that an organization can allow as targets. */
export const MOST_RANGES = 50;

/**
 * Which addresses routers of an organization may test (LIV-04). `any`: the router decides. `public`: addresses on the internet. `listed`:
 * those of `ranges`. Of a name only the router knows the address, so `public` and `listed` admit no names, except to look them up.
 */
export const toolTargets = z.object({
  allow: z.enum(['any', 'public', 'listed']),
  /** IPv4 or IPv6 networks as CIDR; used with `listed`. */
  ranges: z.array(line(50)).max(MOST_RANGES),
});
export type ToolTargets = z.output<typeof toolTargets>;

export const storedToolTargets = toolTargets.extend({
  /** Changes with its content; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type StoredToolTargets = z.output<typeof storedToolTargets>;

const devicePath = z.object({ device: z.string() });
const runPath = z.object({ run: z.string() });

export const listRuns = operation({
  id: 'tools.list',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/{device}/tools',
  summary: 'Tests that were run on a router within the last 90 days, the newest first (LIV-04).',
  scope: 'organization',
  roles: everyRole,
  params: devicePath,
  query: tenantQuery.extend({
    ...paging.shape,
    tool: z.enum(toolKinds).optional(),
  }),
  response: pageOf(toolRun),
});

export const listOffered = operation({
  id: 'tools.offered',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/{device}/tools/offered',
  summary: 'The tests that the data model of a connected router has.',
  scope: 'organization',
  roles: adminOnly,
  params: devicePath,
  query: tenantQuery,
  response: z.object({ result: z.array(z.enum(toolKinds)) }),
});

export const runTool = operation({
  id: 'tools.run',
  method: 'POST',
  path: '/data_manager/v1/dm/devices/{device}/tools',
  summary:
    'Have a router run a test: one of a kind at once. Its end comes as an event of the topic `tools` and with tools.get (LIV-04, LIV-05, LIV-06).',
  scope: 'organization',
  roles: adminOnly,
  params: devicePath,
  body: tenantBody.extend({ input: toolInput }),
  bodyExample: { input: { tool: 'ping', host: 'depot.example', ipVersion: 'any', count: 4, bytes: 32 } },
  response: z.object({ result: toolRun }),
});

export const getRun = operation({
  id: 'tools.get',
  method: 'GET',
  path: '/data_manager/v1/dm/tools/{run}',
  summary: 'A test with its result, and the last 20 of its kind and device before it, the newest first.',
  scope: 'organization',
  roles: everyRole,
  params: runPath,
  query: tenantQuery,
  response: z.object({ result: z.object({ run: toolRun, earlier: z.array(toolRun) }) }),
});

export const readRunFile = operation({
  id: 'tools.file',
  method: 'GET',
  path: '/data_manager/v1/dm/tools/{run}/file',
  summary:
    'The capture or the log that a router sent. It may hold what passengers and drivers sent, so each call is logged (LIV-06).',
  scope: 'organization',
  roles: adminOnly,
  params: runPath,
  query: tenantQuery,
  response: z.string(),
  sends: 'file',
  fileTypes: [ANY_FILE],
});

/** Days that a support bundle can cover. */
export const BUNDLE_DAYS = { least: 1, most: 30 } as const;

export const readSupportBundle = operation({
  id: 'tools.bundle',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/{device}/support-bundle',
  summary:
    'What is stored of a device of the last days, without secrets and positions, as a ZIP file of JSON lines: readings, connections, alerts, log, rollouts, tests. What the own role or API key of the caller does not let it read elsewhere is left out. Each call is logged (LIV-06).',
  scope: 'organization',
  roles: adminOnly,
  params: devicePath,
  query: tenantQuery.extend({ days: z.coerce.number().int().min(BUNDLE_DAYS.least).max(BUNDLE_DAYS.most).optional() }),
  response: z.string(),
  sends: 'file',
  fileTypes: ['application/zip'],
});

/** Speed tests of one response. */
export const MOST_SPEEDS = 500;

/** Where a vehicle was. */
const coordinates = z.object({ latitude: z.number(), longitude: z.number() });

const measuredSpeed = z.object({
  run: z.string(),
  tool: z.enum(['download', 'upload']),
  at: z.string(),
  bitsPerSecond: z.number(),
  /** Where the vehicle was: within five minutes, or where it stood up to 15 minutes before; null = unknown, or without the right to positions. */
  place: coordinates.nullable(),
});
export type MeasuredSpeed = z.output<typeof measuredSpeed>;

export const listSpeeds = operation({
  id: 'tools.speeds',
  method: 'GET',
  path: '/data_manager/v1/dm/devices/{device}/tools/speeds',
  summary: `The speeds that tests of a router measured within the last 90 days and where, the newest ${MOST_SPEEDS}, the newest first (LIV-05).`,
  scope: 'organization',
  roles: everyRole,
  params: devicePath,
  query: tenantQuery,
  response: z.object({ result: z.array(measuredSpeed) }),
});

export const getTargets = operation({
  id: 'tools.targets',
  method: 'GET',
  path: '/data_manager/v1/dm/tool-targets',
  summary: 'Which addresses the routers of an organization may test (LIV-04).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: storedToolTargets }),
});

export const saveTargets = operation({
  id: 'tools.saveTargets',
  method: 'PUT',
  path: '/data_manager/v1/dm/tool-targets',
  summary:
    'Change which addresses the routers of an organization may test. Tests that run go on. Accepts If-Match with its `version`.',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend(toolTargets.shape),
  bodyExample: { allow: 'listed', ranges: ['192.0.2.0/24'] },
  response: z.object({ result: storedToolTargets }),
});

export const topics = ['tools'] as const;

export const schemaNames = {
  Coordinates: coordinates,
  RuleTest: ruleTest,
  ToolRun: toolRun,
  ToolRunFailure: runFailure,
  ToolRunFile: runFile,
  ToolTargets: storedToolTargets,
};
