import { createRoute, redirect } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { rootRoute } from '../../routing/signed-in.ts';
import { recipientList } from './notifications.lists.ts';

const notificationRoute = createRoute({
  ...page('/devices/service/noitify', ['admin', 'user']),
  validateSearch: listSearch(recipientList),
  component: screen(['notifications', 'service'], () => import('./NotificationScreen.tsx'), 'NotificationScreen'),
});

/** The correctly spelled address; the page it redirects to checks the role. */
export const spelledNotificationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/service/notify',
  beforeLoad: () => {
    throw redirect({ to: '/devices/service/noitify', replace: true });
  },
});

export const routes = [notificationRoute] as const;

export const messages = {
  notifications: { 'en-US': () => import('./notifications.en-US.ts'), 'zh-TW': () => import('./notifications.zh-TW.ts') },
};
