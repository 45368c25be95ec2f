import { z } from 'zod';
import { adminOnly, everyRole, operation } from '../operation.ts';
import { pageOf, paging, tenantBody, tenantQuery } from '../conventions.ts';
import { updateWindow } from '../rollouts/update-window.ts';
import { fitsSent, sentCommand, SET_PASSWORD, WAIT_HOURS } from './sent-commands.ts';

/** Characters of a password that is generated. */
export const PASSWORD_LENGTH = { least: 12, usual: 16, most: 32 } as const;
/** Of one that is typed: TR-181 takes 64. */
export const TYPED_LENGTH = { least: 8, most: 64 } as const;
export const ROTATE_DAYS = { least: 1, most: 730 } as const;
/** The user of a router that is meant unless another one is named. */
export const USUAL_USERNAME = 'admin';

/** `set`: the router confirmed it. `unconfirmed`: it was sent, and the router did not answer. `waiting`: it was not sent yet. */
export const passwordStates = ['set', 'unconfirmed', 'waiting'] as const;
export type PasswordState = (typeof passwordStates)[number];

/** The password of a device's own web page, without the password. */
export const routerPassword = z.object({
  device: z.string(),
  serial_number: z.string(),
  vehicle_number: z.string(),
  /** Of the one in use; null = none was set from here. */
  username: z.string().nullable(),
  /** When the router confirmed it. */
  set: z.string().nullable(),
  /** When it is due to be replaced; null = never. */
  due: z.string().nullable(),
  is_due: z.boolean(),
  /** Others that were sent or wait. */
  pending: z.enum(['unconfirmed', 'waiting']).nullable(),
  /** Whether its data model has users with passwords; null = unknown. */
  offered: z.boolean().nullable(),
});
export type RouterPassword = z.infer<typeof routerPassword>;

/** How passwords are generated, and how long one is used. */
export const passwordSettings = z.object({
  length: z.int().min(PASSWORD_LENGTH.least).max(PASSWORD_LENGTH.most),
  /** Punctuation in addition to letters and digits. */
  symbols: z.boolean(),
  /** Days after which a password is due; null = never. */
  rotateDays: z.int().min(ROTATE_DAYS.least).max(ROTATE_DAYS.most).nullable(),
  /** Replace what is due without a person, in the name of who saved this. */
  automatic: z.boolean(),
});
export type PasswordSettings = z.infer<typeof passwordSettings>;

export const storedPasswordSettings = passwordSettings.extend({
  /** Changes with its content; in quotation marks it is the tag for a save (If-Match). */
  version: z.string(),
});
export type StoredPasswordSettings = z.infer<typeof storedPasswordSettings>;

const username = z
  .string()
  .trim()
  .refine((text) => fitsSent(SET_PASSWORD, text), 'must be a user name of letters, digits and . _ @ -');

export const listRouterPasswords = operation({
  id: 'routerPasswords.list',
  method: 'GET',
  path: '/data_manager/v1/dm/router-passwords',
  summary: 'Devices with the state of the password of their own web page, by id, without the passwords (LIV-11).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery.extend({
    ...paging.shape,
    device: z.string().max(60).optional(),
    /** Only those that are due. */
    due: z.enum(['true']).optional(),
  }),
  response: pageOf(routerPassword),
});

export const setRouterPassword = operation({
  id: 'routerPasswords.set',
  method: 'POST',
  path: '/data_manager/v1/dm/device/password',
  summary:
    'Set the password of a router’s own user, typed or random, at once or with `wait` when it connects. A random one is in this answer; later it is shown by its own call (LIV-11).',
  scope: 'organization',
  roles: adminOnly,
  hasSecret: true,
  body: tenantBody.extend({
    device: z.string(),
    username: username.optional(),
    /** Left out: random. */
    password: z
      .string()
      .min(TYPED_LENGTH.least)
      .max(TYPED_LENGTH.most)
      .regex(/^[\u0021-\u007e]+$/u, 'must be printable ASCII without spaces')
      .optional(),
    wait: z.number().int().min(WAIT_HOURS.least).max(WAIT_HOURS.most).optional(),
    window: updateWindow.optional(),
  }),
  bodyExample: { window: undefined, password: undefined, username: 'admin' },
  /** `password`: of a random one. */
  response: z.object({ result: z.object({ command: sentCommand, password: z.string().nullable() }) }),
});

export const showRouterPassword = operation({
  id: 'routerPasswords.show',
  method: 'POST',
  path: '/data_manager/v1/dm/device/password/show',
  summary:
    'Show the passwords that a router may have, the newest first; it is logged. A person sends the own password of the account, an API key does not (LIV-11).',
  scope: 'organization',
  roles: adminOnly,
  hasSecret: true,
  body: tenantBody.extend({
    device: z.string(),
    /** Of the account. */
    own_password: z.string().max(200).optional(),
  }),
  response: z.object({
    result: z.array(
      z.object({
        username: z.string(),
        password: z.string(),
        state: z.enum(passwordStates),
        /** When it was confirmed, or else requested. */
        at: z.string(),
      }),
    ),
  }),
});

const settingsResponse = z.object({ result: storedPasswordSettings });

export const readPasswordSettings = operation({
  id: 'routerPasswords.settings',
  method: 'GET',
  path: '/data_manager/v1/dm/router-passwords/settings',
  summary: 'How the organization generates passwords of routers, and when they are due (LIV-11).',
  scope: 'organization',
  roles: everyRole,
  query: tenantQuery,
  response: settingsResponse,
});

export const savePasswordSettings = operation({
  id: 'routerPasswords.saveSettings',
  method: 'PUT',
  path: '/data_manager/v1/dm/router-passwords/settings',
  summary:
    'Change how passwords of routers are generated and when they are due; automatic rotation needs days. Accepts If-Match with its `version` (LIV-11).',
  scope: 'organization',
  roles: adminOnly,
  body: tenantBody.extend(passwordSettings.shape),
  response: settingsResponse,
});

export const schemaNames = { RouterPassword: routerPassword, PasswordSettings: storedPasswordSettings };
