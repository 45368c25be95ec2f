import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'provider.not_found': failure(404, 'This identity provider does not exist.'),
  'provider.too_many': failure(409, 'There can be at most 5 identity providers. Delete one first.'),
  'provider.issuer_invalid': failure(400, 'Enter the issuer as https address, without a query.'),
  'provider.secret_missing': failure(400, 'The issuer is another one. Enter the client secret that it has issued.'),
  'provider.role_invalid': failure(400, 'People of a main account have one role. Choose Admin or No access.'),
  'provider.break_glass_missing': failure(
    400,
    'Enter at least one admin with a password who can still sign in without the provider.',
  ),
  'provider.domain_missing': failure(
    400,
    'Enter at least one domain, and confirm it, before people must sign in by the provider.',
  ),
  'provider.domain_taken': failure(409, 'This domain belongs to another identity provider.'),
  'provider.domain_unproven': failure(409, 'The DNS record was not found. New records can take an hour to be seen.'),
  'provider.none': failure(404, 'Company sign-in is not set up for this address. Use your password.'),
  'provider.unreachable': failure(503, 'The identity provider does not answer. Try again later.'),
  'provider.state_invalid': failure(403, 'This sign-in took too long or was begun in another browser. Start again.'),
  'provider.rejected': failure(403, 'The identity provider did not sign you in.'),
  'provider.token_invalid': failure(403, 'The identity provider sent an answer that is not valid. Contact an admin.'),
  'provider.email_unverified': failure(403, 'The identity provider does not confirm your email address. Contact an admin.'),
  'provider.not_admitted': failure(403, 'Your email address cannot be used with this company sign-in. Contact an admin.'),
  'provider.no_role': failure(403, 'Your company has not given you a role in Highline. Contact an admin.'),
  'provider.logout_invalid': failure(400, 'This logout is not signed by the provider, or too old.'),
  'account.provider_required': failure(403, 'Your company signs in by its identity provider. Choose company sign-in.'),
  'account.last_break_glass': failure(
    409,
    'This is the last admin who can sign in without the identity provider. Choose another one first.',
  ),
} as const;
