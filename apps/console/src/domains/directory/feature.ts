import { createRoute } from '@tanstack/react-router';
import { page, screen } from '../../routing/page.ts';

const directoryRoute = createRoute({
  ...page('/identity-providers/directory', ['admin']),
  component: screen(['directory'], () => import('./Directory.tsx'), 'Directory'),
});

export const routes = [directoryRoute] as const;

export const messages = {
  directory: { 'en-US': () => import('./directory.en-US.ts'), 'zh-TW': () => import('./directory.zh-TW.ts') },
};
