import { IconShieldCheck } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, screen } from '../../routing/page.ts';
import { serviceList } from './service.lists.ts';

const serviceRoute = createRoute({
  ...page('/devices/service', ['admin', 'user'], {
    order: 40,
    section: 'fleet',
    icon: IconShieldCheck,
    title: { 'en-US': 'Service Status', 'zh-TW': '服務狀態' },
    alsoActive: ['/devices/service/noitify'],
  }),
  validateSearch: listSearch(serviceList),
  component: screen(
    ['bulkJobs', 'commands', 'groups', 'notifications', 'service'],
    () => import('./ServiceStatus.tsx'),
    'ServiceStatus',
  ),
});

export const routes = [serviceRoute] as const;

export const messages = {
  service: { 'en-US': () => import('./service.en-US.ts'), 'zh-TW': () => import('./service.zh-TW.ts') },
};
