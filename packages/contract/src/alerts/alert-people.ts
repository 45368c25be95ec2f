import { z } from 'zod';
import { deletion, email, language, line, pageOf, pageQuery, storedEmail, tenantBody, tenantQuery } from '../conventions.ts';
import { notificationEvents } from '../notifications/calls.ts';
import { everyRole, operation } from '../operation.ts';
import { hours, severities } from './calls.ts';

/** How a person gets alerts: by mail, or as push messages of the browsers in which the person switched them on. */
export const personChannels = ['mail', 'push'] as const;
export type PersonChannel = (typeof personChannels)[number];

/** Addresses of one organization with alerts of their own. */
export const MOST_PEOPLE_OF_ORGANIZATION = 1_000;
/** Browsers of one person; one more replaces the oldest. */
export const MOST_BROWSERS = 10;

const personFields = {
  /** Alerts of rules of these severities, whether or not the rule names the address; none = only those of rules that name it. */
  severities: z.array(z.enum(severities)).max(severities.length),
  /** Only alerts that fire within these hours; null = at any time. */
  hours: hours.nullable(),
  channels: z.array(z.enum(personChannels)).max(personChannels.length),
};

/** What an address is informed of: alerts, by itself and by rules, notifications, and reports (SAY-05). */
export const alertPerson = z.object({
  mail: z.string(),
  /** Of its account, or of its notification entry; empty = unknown. */
  name: z.string(),
  /** Of its account in the organization; null = it has none, or no access. */
  role: z.enum(['admin', 'user']).nullable(),
  ...personFields,
  /** Enabled rules that inform the address, because they name it, or because it is the first admin. */
  rules: z.array(z.object({ id: z.string(), name: z.string(), severity: z.enum(severities) })),
  /** Events of its notification entry (SVC-02). */
  events: z.array(z.enum(notificationEvents)),
  /** Saved summaries that are sent to it on a schedule. */
  reports: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Browsers in which push messages are switched on. */
  browsers: z.number().int(),
  /** Changes with severities, hours and channels, and is 'none' without an entry; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type AlertPerson = z.infer<typeof alertPerson>;

const path = '/data_manager/v1/alerts/people';

export const listPeople = operation({
  id: 'alertPeople.list',
  method: 'GET',
  path,
  summary:
    'Who is notified: the people of an organization, and the other addresses that rules, alerts, notifications and saved summaries name, by address (SAY-05).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...pageQuery.shape,
    sort: z.enum(['mail', '-mail']).optional(),
    field: z.enum(['mail']).optional(),
    /** Only addresses that are informed of something. */
    informed: z.enum(['true']).optional(),
  }),
  response: pageOf(alertPerson),
});

export const savePerson = operation({
  id: 'alertPeople.save',
  method: 'PUT',
  path,
  summary:
    'Set which alerts an address gets, at which hours and how; without severities it gets only those of rules that name it. Users may set their own. Accepts If-Match with the `version` it is based on (SAY-05).',
  scope: 'organization',
  roles: everyRole,
  body: tenantBody.extend({
    mail: email,
    ...personFields,
    /** Of its mails and push messages; left out = unchanged, or for a new entry as its other mails. */
    language,
    /** IANA name of the time zone for times in them; left out = the same. */
    zone: z.string().min(1).max(60).optional(),
  }),
  response: z.object({ result: alertPerson }),
});

export const deletePeople = operation({
  id: 'alertPeople.delete',
  method: 'DELETE',
  path,
  summary: 'End the alerts of addresses; rules that name them still do. Users may end their own.',
  scope: 'organization',
  roles: everyRole,
  body: tenantBody.extend({ mails: z.array(storedEmail).min(1).max(200) }),
  response: deletion,
});

/** The address of a push service, and the keys of a browser (RFC 8030, RFC 8291). */
const browserFields = {
  endpoint: line(1_000).min(1),
  /** An uncompressed point of P-256, base64url. */
  p256dh: line(120).min(1),
  /** 16 bytes, base64url. */
  auth: line(40).min(1),
};

export const pushKey = operation({
  id: 'alertPeople.pushKey',
  method: 'GET',
  path: `${path}/push`,
  summary:
    'The public key with which a browser registers for push messages (VAPID), how many browsers of the caller have, which ones, and how many of them get none.',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: z.object({
    result: z.object({
      publicKey: z.string(),
      browsers: z.number().int(),
      /** Addresses of their push services: another person may use a browser after the one whose alerts it shows. */
      endpoints: z.array(z.string()),
      /** Those of which the push service confirmed no message lately. */
      failing: z.number().int(),
    }),
  }),
});

export const addBrowser = operation({
  id: 'alertPeople.addBrowser',
  method: 'POST',
  path: `${path}/push`,
  summary:
    'Send alerts of the caller to this browser as push messages; who has no severities yet gets critical ones. Not for API keys (SAY-05).',
  scope: 'organization',
  roles: everyRole,
  body: tenantBody.extend({ ...browserFields, language: z.enum(['en-US', 'zh-TW']), zone: z.string().min(1).max(60) }),
  bodyExample: { endpoint: 'https://push.example.com/send/abc' },
  response: z.object({ result: alertPerson }),
});

export const removeBrowser = operation({
  id: 'alertPeople.removeBrowser',
  method: 'DELETE',
  path: `${path}/push`,
  summary: 'Send nothing more to this browser of the caller.',
  scope: 'organization',
  roles: everyRole,
  body: tenantBody.extend({ endpoint: browserFields.endpoint }),
  response: deletion,
});

export const testBrowsers = operation({
  id: 'alertPeople.testPush',
  method: 'POST',
  path: `${path}/push/test`,
  summary: 'Send a test to the browsers of the caller. Answers how many there are.',
  scope: 'organization',
  roles: everyRole,
  queue: 'tests',
  body: tenantBody,
  response: z.object({ result: z.object({ browsers: z.number().int() }) }),
});

export const schemaNames = { AddressesBody: deletePeople.body, AlertPerson: alertPerson };
