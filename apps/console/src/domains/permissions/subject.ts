import type { permissions } from './permissions.en-US.ts';

export type Subject = keyof typeof permissions.subject;

/** What a page is about, by its path or the beginning of it; the longest counts. */
const subjects: Readonly<Record<string, Subject>> = {
  '/alerts': 'alertRules',
  '/api-keys': 'apiKeys',
  '/approvals': 'approvals',
  '/backups': 'routerBackups',
  '/colleagues': 'colleagues',
  '/commands': 'commands',
  '/commands/passwords': 'routerPasswords',
  '/coverage': 'coverage',
  '/dashboard': 'overview',
  '/devices': 'devices',
  '/devices/esims': 'sims',
  '/devices/firmware': 'firmware',
  '/devices/service': 'service',
  '/devices/terminal': 'terminal',
  '/firmware': 'firmware',
  '/geofences': 'geofences',
  '/groups': 'groups',
  '/groups/config': 'configs',
  '/groups/firmwares': 'firmware',
  '/identity-providers': 'companySignIn',
  '/inventory': 'inventory',
  '/jobs': 'jobs',
  '/links': 'links',
  '/logs': 'logs',
  '/map': 'map',
  '/outages': 'outages',
  '/organization': 'organizations',
  '/recordings': 'recordings',
  '/roles': 'roles',
  '/reports': 'reports',
  '/setup': 'setup',
  '/sign-in-rules': 'signInRules',
  '/summaries': 'summaries',
  '/usage': 'plans',
  '/users': 'users',
  '/webhooks': 'webhooks',
};

/** What the page at a path is about; undefined = there is no sentence for it. */
export function subjectOf(path: string): Subject | undefined {
  const [longest] = Object.keys(subjects)
    .filter((beginning) => path.startsWith(beginning))
    .toSorted((one, other) => other.length - one.length);
  return longest === undefined ? undefined : subjects[longest];
}
