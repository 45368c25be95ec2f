/** Areas of calls that support and guests may make with their role: the work with vehicles. */
const areas: ReadonlySet<string> = new Set([
  'alerts',
  'analysis',
  'bindings',
  'commands',
  'configs',
  'coverage',
  'devices',
  'esims',
  'firmware',
  'geofences',
  'groups',
  'jobs',
  'live',
  'logs',
  'metrics',
  'networks',
  'organizations',
  'outages',
  'places',
  'positions',
  'properties',
  'recordings',
  'remoteAccess',
  'reports',
  'rollouts',
  'search',
  'settings',
  'tools',
  'usage',
  'usagePlans',
  'views',
]);

/** What outlives a visit or gives rights to others, although its area is open. */
const kept: ReadonlySet<string> = new Set([
  'groups.changeControl',
  'groups.controls',
  'recordings.saveSettings',
  'remoteAccess.saveClientRule',
]);

/** Of the own session, which the console needs. */
const own: ReadonlySet<string> = new Set([
  'accounts.endSession',
  'accounts.introspect',
  'accounts.listAdmins',
  'accounts.listSessions',
  'accounts.loginStatus',
  'accounts.signOut',
  'accounts.signOutEverywhere',
  'visits.leave',
]);

/** Of the own account, for guests who have no other company to do it in. */
const ofAccount = /^(?:secondFactor\.(?:get|begin|confirm|end)|accounts\.\w*Passkeys?)$/u;

/**
 * Whether support and guests may make a call: not one that concerns people, keys, passwords, mails or rules of the organization, nor one that
 * is new and has no place here (IAM-05).
 * @param atHome a guest whose account is of this organization alone
 */
export function mayVisitorCall(operation: string, atHome: boolean): boolean {
  if (atHome && ofAccount.test(operation)) return true;
  return own.has(operation) || (areas.has(operation.split('.', 1)[0]!) && !kept.has(operation));
}
