import { IconPolygon } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { page, screen } from '../../routing/page.ts';

const geofencesRoute = createRoute({
  ...page('/geofences', ['admin', 'user'], {
    order: 170,
    section: 'fleet',
    icon: IconPolygon,
    title: { 'en-US': 'Geofences', 'zh-TW': '地理圍欄' },
  }),
  component: screen(['geofences'], () => import('./GeofenceScreen.tsx'), 'GeofenceScreen'),
});

export const routes = [geofencesRoute] as const;

export const messages = {
  geofences: { 'en-US': () => import('./geofences.en-US.ts'), 'zh-TW': () => import('./geofences.zh-TW.ts') },
};
