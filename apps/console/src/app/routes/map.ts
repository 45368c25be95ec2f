import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { mapList } from '../../domains/positions/positions.lists.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { type Raw, signedInRoute } from './root-route.ts';

/** The filters of the device list, the chosen vehicle and the colours are part of the address (POS-02). */
const mapRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/map',
  validateSearch: (raw: Raw) => parseListSearch(mapList, raw),
  component: lazyRouteComponent(
    withMessages(['positions'], () => import('../../domains/positions/MapScreen.tsx')),
    'MapScreen',
  ),
});

const geofencesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/geofences',
  component: lazyRouteComponent(
    withMessages(['geofences'], () => import('../../domains/geofences/GeofenceScreen.tsx')),
    'GeofenceScreen',
  ),
});

export const mapRoutes = [mapRoute, geofencesRoute] as const;
