import { IconBuildingCommunity } from '@tabler/icons-react';
import { createRoute } from '@tanstack/react-router';
import { type Raw, listSearch, page, requireSelection, screen, textsOf } from '../../routing/page.ts';
import { parseOrganizationPage } from './organization-page.ts';
import { organizationList } from './organizations.lists.ts';

const organizationRoute = createRoute({
  ...page('/organization', ['main'], {
    order: 130,
    section: 'customers',
    icon: IconBuildingCommunity,
    title: { 'en-US': 'Organizations', 'zh-TW': '組織' },
    alsoActive: ['/organization/add', '/organization/setting', '/organization/addUser', '/organization/user'],
  }),
  validateSearch: listSearch(organizationList),
  component: screen(['organizations'], () => import('./OrganizationList.tsx'), 'OrganizationList'),
});

const organizationSettingRoute = createRoute({
  ...page('/organization/setting', ['main']),
  validateSearch: parseOrganizationPage,
  beforeLoad: requireSelection('org', () => organizationRoute),
  component: screen(['organizations'], () => import('./OrganizationPage.tsx'), 'OrganizationPage'),
});

const contactAddRoute = createRoute({
  ...page('/organization/addUser', ['main']),
  validateSearch: textsOf('org'),
  beforeLoad: requireSelection('org', () => organizationRoute),
  component: screen(['organizations'], () => import('./ContactAdd.tsx'), 'ContactAdd'),
});

const organizationUserRoute = createRoute({
  ...page('/organization/user', ['main']),
  validateSearch: textsOf('org', 'user'),
  beforeLoad: requireSelection(['org', 'user'], () => organizationRoute),
  component: screen(['apiKeys', 'users'], () => import('./OrganizationUser.tsx'), 'OrganizationUser'),
});

/** The step of the wizard is part of the address. */
const organizationAddRoute = createRoute({
  ...page('/organization/add', ['main']),
  validateSearch: (raw: Raw): { step?: 'devices' | 'summary' | undefined } =>
    raw.step === 'devices' || raw.step === 'summary' ? { step: raw.step } : {},
  component: screen(['deviceForms', 'organizations', 'wizard'], () => import('./wizard/OrganizationAdd.tsx'), 'OrganizationAdd'),
});

export const routes = [
  organizationRoute,
  organizationSettingRoute,
  contactAddRoute,
  organizationUserRoute,
  organizationAddRoute,
] as const;

export const messages = {
  organizations: { 'en-US': () => import('./organizations.en-US.ts'), 'zh-TW': () => import('./organizations.zh-TW.ts') },
  wizard: { 'en-US': () => import('./wizard/wizard.en-US.ts'), 'zh-TW': () => import('./wizard/wizard.zh-TW.ts') },
};
