/** Messages of signing in and out. */
export const session = {
  signIn: 'Sign in',
  frame: 'Sign-in page',
  ended: 'Your session has ended. Sign in again.',
  endedKept: 'Your session has ended. Sign in again; what you typed is kept.',
  everywhere: 'You are signed out everywhere. Every session of your account has ended.',
  noFrame: 'The sign-in page could not be loaded.',
  signingIn: 'Signing in…',
  signingOut: 'Signing out…',
};
