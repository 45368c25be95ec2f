import type { ObjectDef } from '../definition.ts';
import { UNKNOWN_TIME, fixed, flag } from '../params.ts';

/** The administrator's account; the agent stores when its password was last changed, and whether it is the default. */
export const ADMINISTRATOR = 'Device.Users.User.1.';
export const PASSWORD_CHANGED = 'X_HIGHLINE_PasswordChanged';
export const PASSWORD_IS_DEFAULT = 'X_HIGHLINE_PasswordIsDefault';

/** Accounts that may sign in at the router (TR-181 Device.Users.User). */
export const userObject: ObjectDef = {
  path: 'Device.Users.User.{i}.',
  table: { instances: () => [1], uniqueKeys: [['Alias'], ['Username']] },
  params: {
    Alias: fixed('administrator'),
    Enable: flag(() => true),
    Username: fixed('admin'),
    [PASSWORD_CHANGED]: { type: 'PARAM_DATE_TIME', initial: UNKNOWN_TIME, readOnly: true },
    [PASSWORD_IS_DEFAULT]: { type: 'PARAM_BOOLEAN', initial: 'true', readOnly: true },
  },
};
