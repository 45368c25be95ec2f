export { redirectRouters } from './router-redirects.ts';
export { registerCellMessages } from './cell-messages.ts';
export { registerSignInPage } from './sign-in-page.ts';
