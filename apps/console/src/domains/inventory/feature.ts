import { IconPackages } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { inventoryList } from './inventory.lists.ts';

const inventoryRoute = createRoute({
  ...page('/inventory', ['main'], {
    order: 200,
    section: 'fleet',
    icon: IconPackages,
    title: { 'en-US': 'Inventory', 'zh-TW': '庫存' },
    alsoActive: ['/inventory/router'],
  }),
  validateSearch: listSearch(inventoryList),
  component: screen(['deviceForms', 'inventory'], () => import('./InventoryList.tsx'), 'InventoryList'),
});

const routerRoute = createRoute({
  ...page('/inventory/router', ['main']),
  validateSearch: textsOf('router'),
  beforeLoad: requireSelection('router', () => inventoryRoute),
  component: screen(['deviceForms', 'inventory'], () => import('./RouterDetail.tsx'), 'RouterDetail'),
});

export const routes = [inventoryRoute, routerRoute] as const;

export const messages = {
  inventory: { 'en-US': () => import('./inventory.en-US.ts'), 'zh-TW': () => import('./inventory.zh-TW.ts') },
};
