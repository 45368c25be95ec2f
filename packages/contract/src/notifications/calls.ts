import { z } from 'zod';
import { everyRole, managers, operation } from '../operation.ts';
import {
  deletion,
  email,
  language,
  limited,
  line,
  pageOf,
  pageQuery,
  storedEmail,
  tenantBody,
  tenantQuery,
} from '../conventions.ts';
import { tidyEmail } from '../email.ts';

/** Mails about ending subscriptions: for those that end today, this week (Sunday to Saturday), this month. */
export const expiryEvents = ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION', 'MONTH_NOTIFY_SUBSCRIPTION'] as const;
export type ExpiryEvent = (typeof expiryEvents)[number];

/** All other events with notifications (NTF-01). */
export const happenings = [
  'FIRMWARE_UPLOADED',
  'FOTA_GROUP_SETUP',
  'DEVICE_DELETED',
  'DEVICE_ADDED',
  'CONFIG_UPLOADED',
  'BATTERY_LOW',
  'BATTERY_LOW_CLEAR',
  'THERMAL_5G_PROTECT',
  'THERMAL_5G_PROTECT_CLEAR',
  'DEVICE_ADMIN_CHANGE_PASSWORD',
  'DEVICE_FACTORY_RESET',
  'DATA_USE',
] as const;

export const notificationEvents = [...expiryEvents, ...happenings] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** Event names in the API: the spec garbles the name of the first expiry event, so that form is accepted too (NTF-01). */
const eventName = z.preprocess((value) => (value === '{hash}' ? 'TODAY_NOTIFY_SUBSCRIPTION' : value), z.enum(notificationEvents));

/** The notification entry of an address (part 2 section 3). */
export const notificationRecipient = z.object({
  mail: z.string(),
  /** The name of the recipient, for the greeting of mails; empty if not set (SVC-02). */
  recipient: z.string(),
  types: z.array(z.enum(notificationEvents)),
  /** Keys of the groups of the entry; `['all']` for every group. */
  gids: z.array(z.string()),
  /** The cloud user of that address, if there is one: its own entry is effective for the admin role only. */
  role: z.enum(['admin', 'user']).nullable(),
  /** Changes with every change of recipient, types and groups; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type NotificationRecipient = z.infer<typeof notificationRecipient>;

export const listRecipients = operation({
  id: 'notifications.list',
  method: 'GET',
  path: '/data_manager/v1/notify/user',
  summary: 'The notification entries of an organization, by address (SVC-02, USR-05).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...pageQuery.shape,
    sort: z
      .string()
      .max(60)
      .meta({ examples: ['-mail'] })
      .optional(),
    mail: limited(320, tidyEmail).optional(),
  }),
  response: pageOf(notificationRecipient),
});

export const saveRecipient = operation({
  id: 'notifications.save',
  method: 'POST',
  path: '/data_manager/v1/notify/user',
  summary:
    'Set the notifications of an address; without events the entry ends. Accepts If-Match with the `version` it is based on (SVC-02, USR-05).',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({
    mail: email,
    /** Left out = unchanged. */
    recipient: line(100).optional(),
    events: z.array(eventName).max(notificationEvents.length * 2),
    /** Group keys; `all`, none or left out = all. */
    gids: z.array(z.string().min(1).max(100)).max(2_000).optional(),
    /** Language of the mails; left out = unchanged, or for a new entry that of the account of this address. */
    language,
    /** IANA name of the time zone for times in the mails; left out = unchanged, or for a new entry UTC. */
    zone: z.string().min(1).max(60).optional(),
  }),
  response: z.object({ result: notificationRecipient }),
});

export const deleteRecipients = operation({
  id: 'notifications.delete',
  method: 'DELETE',
  path: '/data_manager/v1/notify/user',
  summary: 'Delete the notification entries of addresses.',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({ mails: z.array(storedEmail).min(1).max(200) }),
  response: deletion,
});

/** A mail that could not be delivered: given up after the last attempt, or rejected permanently. */
export const undeliveredMail = z.object({
  id: z.string(),
  mail: z.string(),
  subject: z.string(),
  /** The mail server's answer to the last attempt. */
  reason: z.string(),
  attempts: z.number().int(),
  /** Its mail server accepted it, and returned it later: its text is gone, so it cannot be sent again. */
  returned: z.boolean(),
  /** Epoch seconds. */
  created: z.number(),
});
export type UndeliveredMail = z.infer<typeof undeliveredMail>;

export const listUndelivered = operation({
  id: 'notifications.undelivered',
  method: 'GET',
  path: '/data_manager/v1/notify/undelivered',
  summary: "An organization's mails that could not be delivered or were returned, newest first.",
  scope: 'organization',
  roles: managers,
  query: tenantQuery.extend(pageQuery.shape),
  response: pageOf(undeliveredMail),
});

export const sendAgain = operation({
  id: 'notifications.sendAgain',
  method: 'POST',
  path: '/data_manager/v1/notify/undelivered',
  summary: 'Retry undelivered mails, under their old Message-ID.',
  scope: 'organization',
  roles: managers,
  body: tenantBody.extend({ ids: z.array(z.string().max(60)).min(1).max(200) }),
  response: z.object({ result: z.object({ queued: z.number().int() }) }),
});

export const noteBounce = operation({
  id: 'notifications.bounce',
  method: 'POST',
  path: '/dmp_aa/api/v1/mails/bounce',
  summary:
    'Say that a mail was returned, as `highline mail bounce` does for a mail server; the address that it was returned to is the secret that allows it (RPM-03).',
  scope: 'public',
  roles: [],
  body: z.object({
    /** The envelope sender of the mail, which no other has. */
    address: z
      .string()
      .max(320)
      .meta({ examples: ['bounces+00m2q9x3v7k1d5f8h0j4l6n2p9r3t7v1x5z8b0c4e@example.com'] }),
    /** RFC 3463; 4 = it has not reached its server in time, 5 = its server does not accept it. */
    status: z
      .string()
      .regex(/^[45]\.\d{1,3}\.\d{1,3}$/u, 'must be a status of RFC 3463 that begins with 4 or 5')
      .meta({ examples: ['5.1.1'] }),
    /** What the mail server said. */
    reason: z.string().max(2_000),
  }),
  response: z.object({
    /** Ignored: the address is that of no mail, or the mail was returned before. */
    result: z.object({ outcome: z.enum(['noted', 'ignored']) }),
  }),
});

/**
 * What became of a test mail: the mail server accepted it; it is a file, because there is no mail server; the mail server rejected it or could
 * not be reached; or it has not answered in time.
 */
export const testMailOutcomes = ['sent', 'kept', 'rejected', 'unanswered'] as const;
export const testMail = z.object({
  /** The address of the person who called. */
  mail: z.string(),
  outcome: z.enum(testMailOutcomes),
  /** What the mail server said, or why it could not be reached; empty = it accepted the mail. */
  answer: z.string(),
});
export type TestMail = z.infer<typeof testMail>;

export const sendTestMail = operation({
  id: 'notifications.test',
  method: 'POST',
  path: '/data_manager/v1/notify/test',
  summary: 'Send one mail to your own address at once, and answer what the mail server said; at most ten in an hour (ALR-05).',
  scope: 'organization',
  roles: managers,
  body: tenantBody,
  response: z.object({ result: testMail }),
});

export const topics = ['notifications'] as const;

export const schemaNames = {
  NotificationRecipient: notificationRecipient,
  TestMail: testMail,
  UndeliveredMail: undeliveredMail,
};
