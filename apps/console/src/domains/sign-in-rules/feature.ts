import { createRoute } from '@tanstack/react-router';
import { page, screen } from '../../routing/page.ts';

const signInRulesRoute = createRoute({
  ...page('/sign-in-rules', ['main', 'admin']),
  component: screen(['signInRules'], () => import('./SignInRules.tsx'), 'SignInRules'),
});

export const routes = [signInRulesRoute] as const;

export const messages = {
  signInRules: { 'en-US': () => import('./sign-in-rules.en-US.ts'), 'zh-TW': () => import('./sign-in-rules.zh-TW.ts') },
};
