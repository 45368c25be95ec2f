import { IconCpu } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { firmwareList } from './firmware.lists.ts';

const firmwaresRoute = createRoute({
  ...page('/groups/firmwares', ['admin', 'user'], {
    order: 60,
    section: 'updates',
    icon: IconCpu,
    title: { 'en-US': 'Firmware', 'zh-TW': '韌體' },
    alsoActive: ['/devices/firmware'],
  }),
  validateSearch: listSearch(firmwareList),
  component: screen(['firmware'], () => import('./FirmwareList.tsx'), 'FirmwareList'),
});

const deviceFirmwareRoute = createRoute({
  ...page('/devices/firmware', ['admin', 'user']),
  validateSearch: listSearch(firmwareList),
  component: screen(['firmware'], () => import('./FirmwareList.tsx'), 'FirmwareList'),
});

const catalogueRoute = createRoute({
  ...page('/firmware', ['main'], {
    order: 190,
    section: 'updates',
    icon: IconCpu,
    title: { 'en-US': 'Firmware', 'zh-TW': '韌體' },
  }),
  validateSearch: listSearch(firmwareList),
  component: screen(['firmware'], () => import('./FirmwareCatalogue.tsx'), 'FirmwareCatalogue'),
});

export const routes = [firmwaresRoute, deviceFirmwareRoute, catalogueRoute] as const;

export const messages = {
  firmware: { 'en-US': () => import('./firmware.en-US.ts'), 'zh-TW': () => import('./firmware.zh-TW.ts') },
};
