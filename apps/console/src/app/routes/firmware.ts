import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { firmwareList } from '../../domains/firmware/firmware.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { type Raw, signedInRoute } from './root-route.ts';

const firmwaresRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/groups/firmwares',
  validateSearch: (raw: Raw) => parseListSearch(firmwareList, raw),
  component: lazyRouteComponent(
    withMessages(['firmware'], () => import('../../domains/firmware/FirmwareList.tsx')),
    'FirmwareList',
  ),
});

const deviceFirmwareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/devices/firmware',
  validateSearch: (raw: Raw) => parseListSearch(firmwareList, raw),
  component: lazyRouteComponent(
    withMessages(['firmware'], () => import('../../domains/firmware/FirmwareList.tsx')),
    'FirmwareList',
  ),
});

const catalogueRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/firmware',
  validateSearch: (raw: Raw) => parseListSearch(firmwareList, raw),
  component: lazyRouteComponent(
    withMessages(['firmware'], () => import('../../domains/firmware/FirmwareCatalogue.tsx')),
    'FirmwareCatalogue',
  ),
});

export const firmwareRoutes = [firmwaresRoute, deviceFirmwareRoute, catalogueRoute] as const;
