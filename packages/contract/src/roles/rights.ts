import type { Right } from '../operation.ts';

/**
 * Parts of the product that belong to people: accounts, second factors and sessions; their keys, roles, sign-in, visits and approvals. What they are open to for
 * every user is of the own account.
 */
export const areasOfPeople: ReadonlySet<string> = new Set([
  'accounts',
  'apiKeys',
  'approvals',
  'colleagues',
  'identityProviders',
  'scim',
  'roles',
  'secondFactor',
  'visits',
]);

/** Calls that change nothing, although their method could. */
const readings: ReadonlySet<string> = new Set([
  'devices.exportChosen',
  'bindings.impact',
  'bindings.moveImpact',
  'jobs.preview',
  'usagePlans.preview',
  'usagePlans.readFile',
  'analysis.prepare',
]);

/** What every console calls, whatever its person may open; of what is found, only what the rights are for. */
const ofEveryone: ReadonlySet<string> = new Set([
  'live.stream',
  'logs.key',
  'organizations.list',
  'places.describe',
  'search.find',
  'views.add',
  'views.delete',
  'views.list',
  'views.save',
]);

/** What gives people rights that stay when the own role of who gave them is gone, although its area is no one's alone. */
const givesRights: ReadonlySet<string> = new Set(['groups.changeControl', 'groups.controls', 'remoteAccess.saveClientRule']);

/** The part of the product that a call belongs to. */
export const areaOf = (id: string): string => id.split('.', 1)[0]!;

/** Whether a call reads or changes. */
export const accessOf = ({ id, method }: Pick<Right, 'id' | 'method'>): 'read' | 'write' =>
  method === 'GET' || readings.has(id) ? 'read' : 'write';

/** The right that a call needs: its part of the product, and whether it reads or changes, such as `devices.read` (IAM-03). */
export const rightOf = (call: Pick<Right, 'id' | 'method'>): string => `${areaOf(call.id)}.${accessOf(call)}`;

const isOfPeople = ({ id }: Pick<Right, 'id'>): boolean => areasOfPeople.has(areaOf(id)) || givesRights.has(id);

/** Whether a person with an own role may make a call without a right: it is of the own account, or every console makes it. */
export const needsNoRight = ({ id, roles }: Right): boolean =>
  ofEveryone.has(id) || (areasOfPeople.has(areaOf(id)) && roles.includes('user'));

/** What a right to change is confirmed by: the effect is shown before a device joins a group, or its group is deleted. */
const comesWith: ReadonlyMap<string, readonly string[]> = new Map([['bindings.moveImpact', ['devices.write', 'groups.write']]]);

/** Whether a person with an own role of these rights may make a call (IAM-03). */
export const isWithinRights = (rights: readonly string[], call: Right): boolean =>
  needsNoRight(call) ||
  (!isOfPeople(call) && [rightOf(call), ...(comesWith.get(call.id) ?? [])].some((right) => rights.includes(right)));

/** Whether an own role can give a call. */
export const isGivable = (call: Right): boolean => !isOfPeople(call) && !needsNoRight(call);
