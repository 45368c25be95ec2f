import { mayVisitorCall } from '@highline/contract';
import type { Session } from '../api/session.ts';

/** The area and the access that a page needs of an own role, by its path or the beginning of it; the longest counts (IAM-03). */
const rights: Readonly<Record<string, readonly [area: string, access: 'read' | 'write']>> = {
  '/alerts': ['alerts', 'read'],
  '/alerts/people': ['alertPeople', 'read'],
  '/backups': ['routerBackups', 'read'],
  '/commands': ['commands', 'read'],
  '/commands/passwords': ['routerPasswords', 'read'],
  '/coverage': ['coverage', 'read'],
  '/dashboard': ['devices', 'read'],
  '/devices': ['devices', 'read'],
  '/devices/add': ['devices', 'write'],
  '/devices/esims': ['esims', 'read'],
  '/devices/firmware': ['firmware', 'read'],
  '/devices/service/noitify': ['notifications', 'read'],
  '/devices/terminal': ['remoteAccess', 'write'],
  '/firmware': ['firmware', 'read'],
  '/geofences': ['geofences', 'read'],
  '/groups': ['groups', 'read'],
  '/groups/add': ['groups', 'write'],
  '/groups/config': ['configs', 'read'],
  '/groups/firmwares': ['firmware', 'read'],
  '/groups/settings': ['settings', 'read'],
  '/inventory': ['inventory', 'read'],
  '/jobs': ['jobs', 'read'],
  '/links': ['links', 'read'],
  '/logs': ['logs', 'read'],
  '/map': ['positions', 'read'],
  '/outages': ['outages', 'read'],
  '/recordings': ['recordings', 'read'],
  '/reports': ['reports', 'read'],
  '/reports/analysis': ['analysis', 'read'],
  '/summaries': ['summaries', 'read'],
  '/usage': ['usage', 'read'],
  '/usage/plans': ['usagePlans', 'read'],
  '/webhooks': ['webhooks', 'read'],
};

/** People, their sign-in, keys and roles, and what invites them: no own role opens them. */
const ofPeople =
  /^\/(?:users|colleagues|api-keys|approvals|roles|sign-in-rules|identity-providers|setup|organization\/(?:user|add))/u;

/** The right that a page needs of an own role; null: no own role opens it, undefined: each one does. */
export function rightOfPage(path: string): string | null | undefined {
  if (ofPeople.test(path)) return null;
  const beginnings = Object.keys(rights).filter((beginning) => path.startsWith(beginning));
  return rights[beginnings.toSorted((one, other) => other.length - one.length)[0] ?? '']?.join('.');
}

/** Pages that change what is of the whole organization: no one opens them who sees a part of it (IAM-04). */
const ofWhole = /^\/(?:devices\/add|groups\/(?:add|detail))/u;

type Caller = Pick<Session, 'ownRole' | 'visit' | 'limitedTo'>;

/**
 * What closes a page to someone whose role may open it: an own role without its right (IAM-03), that support and guests only work with vehicles (IAM-05),
 * or that the page is of the whole organization (IAM-04); * undefined: it is open.
 */
export function closureOf({ ownRole, visit, limitedTo }: Caller, path: string): 'ownRole' | 'visit' | 'limited' | undefined {
  const right = rightOfPage(path);
  if (right === undefined) return undefined;
  if (ownRole !== null && (right === null || !ownRole.rights.includes(right))) return 'ownRole';
  if (visit !== null && (right === null || !mayVisitorCall(right, visit.atHome))) return 'visit';
  return limitedTo !== null && ofWhole.test(path) ? 'limited' : undefined;
}

/** Whether a page whose role someone has is open to them. */
export function isPageOpen(caller: Caller, path: string): boolean {
  return closureOf(caller, path) === undefined;
}
