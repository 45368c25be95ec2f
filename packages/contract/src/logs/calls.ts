import { z } from 'zod';
import { everyRole, managers, operation } from '../operation.ts';
import { fileFormat, columnsOf, language, onlyRows, pageOf, pageQuery, tenantQuery } from '../conventions.ts';

/** Terms of ours by their keys. */
export const logTerms = z.object({ terms: z.array(z.string()) });
const simplePart = z.union([z.string(), z.number(), logTerms]);
/** A part of a sentence with a key of its own. */
export const logPhrase = z.object({ key: z.string(), params: z.array(simplePart) });
const part = z.union([simplePart, logPhrase]);
/** An action by its key, with its parameters: names and numbers as they are, terms of ours, or a part with a key of its own. */
export const logSentence = z.object({ key: z.string(), params: z.array(part) });

/** Log entry in the API (part 2 section 3). */
export const logEntry = z.object({
  /** Epoch seconds. */
  timestamp: z.number(),
  /** The actor: a user's e-mail address. */
  email: z.string(),
  /** The remote address. */
  ip: z.string(),
  /** The action, as a sentence. */
  subject: z.string(),
  /** Key and parameters of `subject`, for other languages; null for entries of earlier versions. */
  sentence: logSentence.nullable(),
  /** The changed values, by name. */
  detail: z.record(z.string(), z.unknown()),
  /** 'main', 'admin' or 'user' at that time. */
  role: z.string(),
  /** The API key that the actor used, by name; null = the actor was signed in. */
  key: z.string().nullable(),
  /** People without whom the actor could not have done it: who approved it, or let the actor in for support or as a guest. */
  with: z.array(z.object({ as: z.enum(['approval', 'support', 'guest']), email: z.string() })),
  /** What it is about. */
  about: z.object({ kind: z.string(), id: z.string() }),
  /** SHA-256 in hex, over this entry and the hash before it. */
  hash: z.string(),
  /** Position in the log, from 1 without a gap: part of the hash chain that reveals tampering. */
  seq: z.number().int(),
});
export type LogEntry = z.infer<typeof logEntry>;

export const logFields = ['any', 'email', 'ip', 'action'] as const;
export const logSpans = ['today', 'yesterday', 'week', 'month', 'custom'] as const;
/** Kinds of things that entries are about. */
export const logKinds = [
  'device',
  'group',
  'rollout',
  'firmware',
  'config',
  'esim',
  'account',
  'organization',
  'router',
  'job',
  'command',
  'property',
  'report',
  'chart',
  'notification',
  'geofence',
  'alert',
  'alert rule',
] as const;
/** The most people that are offered. */
export const MAX_LOG_PEOPLE = 200;

/** Filters of LOG-01; days are computed in `zone`. */
export const logQuery = tenantQuery.extend({
  ...pageQuery.shape,
  sort: z.enum(['time', '-time']).optional(),
  field: z.enum(logFields).optional(),
  span: z.enum(logSpans).optional(),
  /** Entries of this person: the whole e-mail address. */
  person: z.string().max(320).optional(),
  /** Entries about this kind of thing. */
  kind: z.enum(logKinds).optional(),
  /** First and last day of a custom span, MM/DD/YYYY, both included; either may be left out. */
  from: z.string().max(10).optional(),
  until: z.string().max(10).optional(),
  /** A single entry, by its position in the log. */
  entry: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  /** IANA time zone. */
  zone: z.string().max(60).optional(),
});
export type LogQuery = z.infer<typeof logQuery>;

export const listLogs = operation({
  id: 'logs.list',
  method: 'GET',
  path: '/data_manager/v1/operation_log',
  summary:
    'The log of an organization, newest first; without `org` a main account reads its own, with the events of no organization (LOG-01).',
  scope: 'tenant',
  reachesDeleted: true,
  roles: everyRole,
  query: logQuery,
  response: pageOf(logEntry),
});

/** Columns that the file can have, by their ids on the list. */
export const logColumns = ['number', 'time', 'user', 'ip', 'action'] as const;

export const logPeople = operation({
  id: 'logs.people',
  method: 'GET',
  path: '/data_manager/v1/operation_log/people',
  summary: 'E-mail addresses of those who are in a log, in alphabetical order; at most 200.',
  scope: 'tenant',
  reachesDeleted: true,
  roles: everyRole,
  query: tenantQuery,
  response: z.object({ result: z.array(z.string()) }),
});

export const exportLogs = operation({
  id: 'logs.export',
  method: 'GET',
  path: '/data_manager/v1/operation_log/export',
  summary: 'The same list as CSV or Excel workbook (Logs_export), filtered alike (LOG-01, SHR-08).',
  scope: 'tenant',
  reachesDeleted: true,
  roles: everyRole,
  query: logQuery.extend({
    language,
    format: fileFormat,
    columns: columnsOf(logColumns),
    /** Positions in the log. */
    only: onlyRows,
  }),
  response: z.string(),
  sends: 'file',
});

export const exportAuditLog = operation({
  id: 'logs.evidence',
  method: 'GET',
  path: '/data_manager/v1/operation_log/evidence',
  summary: 'The whole log as a signed file that `highline audit verify` checks offline (LOG-02).',
  scope: 'tenant',
  reachesDeleted: true,
  roles: managers,
  query: tenantQuery,
  response: z.string(),
  sends: 'file',
  fileTypes: ['application/x-ndjson'],
});

export const auditKey = operation({
  id: 'logs.key',
  method: 'GET',
  path: '/data_manager/v1/operation_log/key',
  summary: 'The public key (PEM) by which exported logs and checkpoints are verified.',
  scope: 'account',
  roles: everyRole,
  response: z.object({ result: z.object({ publicKey: z.string() }) }),
});

export const topics = ['logs'] as const;

export const schemaNames = {
  LogEntry: logEntry,
  LogPhrase: logPhrase,
  LogSentence: logSentence,
  LogTerms: logTerms,
};
