import type { Role } from '@highline/contract';
import { pathOfList } from '../../../api/views/addressOfView.ts';
import type { Address, RecentEntry } from './entry.ts';

/** The page of a result (BLK-04): its own where the role has one, else the list with nothing but it. */
export function addressOf({ kind, id, title, detail }: RecentEntry, role: Role): Address {
  switch (kind) {
    case 'device':
      return { to: '/devices/setting', search: { device: id } };
    case 'sim':
      return role === 'admin'
        ? { to: '/devices/esimsEdit', search: { profile: id } }
        : {
            to: '/devices/esimsList',
            search: /^\d+$/u.test(title) ? { field: 'iccid', search: title } : { field: 'name', search: title },
          };
    case 'group':
      return role === 'admin'
        ? { to: '/groups/detail', search: { group: id } }
        : { to: '/groups/list', search: { field: 'group', search: title } };
    case 'person':
      return role === 'main'
        ? { to: '/colleagues', search: detail === '' ? { field: 'email', search: title } : { field: 'email', search: detail } }
        : { to: '/users/detail', search: { user: id } };
    case 'firmware':
      return { to: role === 'main' ? '/firmware' : '/groups/firmwares', search: { field: 'version', search: title } };
    case 'config':
      return { to: '/groups/configSetting', search: { config: id } };
    case 'organization':
      return { to: '/organization/setting', search: { org: id, tab: 'overview' } };
    case 'view':
      return { to: pathOfList(detail, role), search: { view: id } };
  }
}
