import { organizationDeviceList } from '../../entities/devices/devices.lists.ts';
import { organizationGroupList } from '../groups/index.ts';
import { organizationLogList } from '../logs/index.ts';
import { type ListSpec, parseListSearch } from '../../ui/list/spec.ts';
import { organizationUserList } from '../users/index.ts';

/** The tabs of the page of an organization (ATT-03). Without one in its address it shows the settings (ORG-04). */
export const organizationTabs = ['overview', 'devices', 'groups', 'users', 'log', 'settings'] as const;
export type OrganizationTab = (typeof organizationTabs)[number];

const lists: Readonly<Partial<Record<OrganizationTab, ListSpec>>> = {
  devices: organizationDeviceList,
  groups: organizationGroupList,
  users: organizationUserList,
  log: organizationLogList,
};

/** The address of /organization/setting: the organization, the tab, and the state of its list. */
export interface OrganizationPageSearch {
  readonly org?: string;
  readonly tab?: Exclude<OrganizationTab, 'settings'>;
  /** State of the list of the tab. */
  readonly [part: string]: unknown;
}

/** Parse an address; unknown values are dropped. */
export function parseOrganizationPage(raw: Readonly<Record<string, unknown>>): OrganizationPageSearch {
  const org = typeof raw['org'] === 'string' && raw['org'] !== '' ? raw['org'] : undefined;
  const tab = organizationTabs.find((known) => known === raw['tab']);
  const spec = tab === undefined ? undefined : lists[tab];
  return {
    ...(spec === undefined ? {} : parseListSearch(spec, raw)),
    ...(org === undefined ? {} : { org }),
    ...(tab === undefined || tab === 'settings' ? {} : { tab }),
  };
}
