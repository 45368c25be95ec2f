import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'session.missing': failure(401, 'Access token not found'),
  'session.invalid': failure(401, 'Auth token timeout.'),
  'account.wrong_password': failure(403, 'Wrong email or password.'),
  'account.otp_needed': failure(403, 'Enter the code from your authenticator app.'),
  'account.otp_wrong': failure(403, 'This code is wrong or was already used.'),
  'account.second_factor_on': failure(409, 'The second factor is already on.'),
  'account.second_factor_off': failure(409, 'The second factor is not on.'),
  'account.no_roles': failure(403, 'Permissions have not been set yet.'),
  'account.too_many_tries': failure(429, 'Too many attempts. Wait a moment and try again.'),
  'account.link_invalid': failure(410, 'This link has expired or was already used. Request a new one.'),
  'account.weak_password': failure(400, 'Choose a password of 10 to 200 characters that is not your email address.'),
  'account.common_password': failure(400, 'This password is easy to guess. Use a longer and less regular one.'),
  'account.exists': failure(409, 'Account already exists'),
  'account.not_found': failure(404, 'This user does not exist.'),
  'permission.limited': failure(
    403,
    'You see only some of the vehicles of your organization, and this concerns all of them. Ask an admin of your organization.',
  ),
  'account.is_self': failure(403, 'Permission denied'),
  'account.last_admin': failure(409, 'An organization needs at least one admin.'),
  'account.admin_exists': failure(409, 'This organization already has an admin. Ask one of its admins to add another.'),
  'account.last_colleague': failure(409, 'A main account needs at least one person.'),
  'account.invitation_accepted': failure(409, 'This person has already set a password.'),
} as const;
