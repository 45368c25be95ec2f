import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import type { ObjectDef, RouterView } from '../definition.ts';
import { UNKNOWN_TIME, fixed, flag } from '../params.ts';

/** The administrator's account; the agent stores when its password was last changed, and whether it is the default. */
export const ADMINISTRATOR = 'Device.Users.User.1.';
export const PASSWORD_CHANGED = 'X_HIGHLINE_PasswordChanged';
export const PASSWORD_IS_DEFAULT = 'X_HIGHLINE_PasswordIsDefault';
const USERNAME = 'admin';
const LONGEST_PASSWORD = 64;
const HASH_BYTES = 32;

/** Accounts that may sign in at the router (TR-181 Device.Users.User). */
export const userObject: ObjectDef = {
  path: 'Device.Users.User.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Username']] },
  params: {
    Alias: fixed('administrator'),
    Enable: flag(() => true),
    Username: fixed(USERNAME),
    Password: {
      type: 'PARAM_STRING',
      initial: '',
      hidden: true,
      check: (value) => (value.length < 8 || value.length > LONGEST_PASSWORD ? 'not 8 to 64 characters' : undefined),
      stores: (value, router) => ({
        Password: hashPassword(value),
        [PASSWORD_CHANGED]: changeTime(router.platform.clock.now(), router.row(ADMINISTRATOR)?.[PASSWORD_CHANGED]),
        [PASSWORD_IS_DEFAULT]: 'false',
      }),
    },
    [PASSWORD_CHANGED]: { type: 'PARAM_DATE_TIME', initial: UNKNOWN_TIME, readOnly: true },
    [PASSWORD_IS_DEFAULT]: { type: 'PARAM_BOOLEAN', initial: 'true', readOnly: true },
  },
};

/**
 * The time of a change of the password. Of two changes within a millisecond the second one is a millisecond later: without another time no
 * subscriber would be notified of it.
 */
export function changeTime(at: number, before: string | undefined): string {
  const time = new Date(at).toISOString();
  return time === before ? new Date(at + 1).toISOString() : time;
}

/** Whether these are the credentials of the administrator that a controller set. Its default password is known to the router's label alone. */
export function admitsAdministrator(router: RouterView, username: string, password: string): boolean {
  const [salt = '', hash = ''] = (router.row(ADMINISTRATOR)?.['Password'] ?? '').split(':');
  if (username !== USERNAME || hash === '' || password.length > LONGEST_PASSWORD) return false;
  return timingSafeEqual(scryptSync(password, salt, HASH_BYTES), Buffer.from(hash, 'hex'));
}

/** Its text cannot be read from the state of the router. */
function hashPassword(password: string): string {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${scryptSync(password, salt, HASH_BYTES).toString('hex')}`;
}
