import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { inventoryList } from '../../domains/inventory/inventory.lists.ts';
import { parseOrganizationPage } from '../../domains/organizations/organization-page.ts';
import { organizationList } from '../../domains/organizations/organizations.lists.ts';
import { parseListSearch } from '../../ui/list/spec.ts';
import { withMessages } from '../../i18n/i18n.ts';
import { requireSelection } from './require-selection.ts';
import { type Raw, signedInRoute, textsOf } from './root-route.ts';

const organizationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization',
  validateSearch: (raw: Raw) => parseListSearch(organizationList, raw),
  component: lazyRouteComponent(
    withMessages(['organizations'], () => import('../../domains/organizations/OrganizationList.tsx')),
    'OrganizationList',
  ),
});

const organizationSettingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/setting',
  validateSearch: (raw: Raw) => parseOrganizationPage(raw),
  beforeLoad: requireSelection('org', () => '/organization'),
  component: lazyRouteComponent(
    withMessages(['organizations'], () => import('../../domains/organizations/OrganizationPage.tsx')),
    'OrganizationPage',
  ),
});

const contactAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/addUser',
  validateSearch: textsOf('org'),
  beforeLoad: requireSelection('org', () => '/organization'),
  component: lazyRouteComponent(
    withMessages(['organizations'], () => import('../../domains/organizations/ContactAdd.tsx')),
    'ContactAdd',
  ),
});

/** The step of the wizard is part of the address. */
const organizationAddRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/organization/add',
  validateSearch: (raw: Raw): { step?: 'devices' | 'summary' | undefined } =>
    raw.step === 'devices' || raw.step === 'summary' ? { step: raw.step } : {},
  component: lazyRouteComponent(
    withMessages(
      ['deviceForms', 'organizations', 'wizard'],
      () => import('../../domains/organizations/wizard/OrganizationAdd.tsx'),
    ),
    'OrganizationAdd',
  ),
});

const inventoryRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/inventory',
  validateSearch: (raw: Raw) => parseListSearch(inventoryList, raw),
  component: lazyRouteComponent(
    withMessages(['deviceForms', 'inventory'], () => import('../../domains/inventory/InventoryList.tsx')),
    'InventoryList',
  ),
});

const routerRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/inventory/router',
  validateSearch: textsOf('router'),
  beforeLoad: requireSelection('router', () => '/inventory'),
  component: lazyRouteComponent(
    withMessages(['deviceForms', 'inventory'], () => import('../../domains/inventory/RouterDetail.tsx')),
    'RouterDetail',
  ),
});

export const organizationRoutes = [
  organizationRoute,
  organizationSettingRoute,
  contactAddRoute,
  organizationAddRoute,
  inventoryRoute,
  routerRoute,
] as const;
