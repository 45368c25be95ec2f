import { createRoute } from '@tanstack/react-router';
import { page, screen } from '../../routing/page.ts';

const setUpRoute = createRoute({
  ...page('/setup', ['main', 'admin']),
  component: screen(['setup'], () => import('./SetupPage.tsx'), 'SetupPage'),
});

export const routes = [setUpRoute] as const;

export const messages = {
  setup: { 'en-US': () => import('./setup.en-US.ts'), 'zh-TW': () => import('./setup.zh-TW.ts') },
};
