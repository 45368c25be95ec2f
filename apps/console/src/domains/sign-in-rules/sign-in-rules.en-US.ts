/** Messages of the page with the rules for sign-ins. */
export const signInRules = {
  title: 'Sign-in rules',
  hint: 'For the people of your company who sign in here. Everyone whom a change concerns gets an email.',
  factor: 'Require a second factor',
  factorHint:
    'A password alone is not enough: an authenticator app or a passkey is needed. People without one set it up at their next sign-in, before anything else opens. Company sign-in is not concerned.',
  without_one: '{{count}} of {{people}} people has no second factor yet.',
  without_other: '{{count}} of {{people}} people have no second factor yet.',
  idle: 'Sign out after no use for',
  lifetime: 'Sign out at the latest after',
  minutes_one: '{{count}} minute',
  minutes_other: '{{count}} minutes',
  hours_one: '{{count}} hour',
  hours_other: '{{count}} hours',
  days_one: '{{count}} day',
  days_other: '{{count}} days',
  ranges: 'Allowed networks',
  rangesHint:
    'As CIDR, with commas between them: 203.0.113.0/24. Empty = everywhere. Your address is {{address}}. API keys have networks of their own.',
  excepted: 'Admins who can sign in from everywhere',
  exceptedHint:
    'Email addresses with commas between them. At least one admin with a password, so that a wrong network locks no one out.',
  excludes: 'These networks exclude you',
  excludesText: 'Your own address {{address}} is not in these networks. You are signed out when you save.',
  saveAnyway: 'Save all the same',
  saved: 'The rules were saved.',
  stale: 'Someone else changed these rules. Your changes are still here; save again to overwrite.',
};
