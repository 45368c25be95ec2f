import { z } from 'zod';
import { account, listedPerson, personName } from './calls.ts';
import { mainOnly, operation } from '../operation.ts';
import { accountPageOf, deletion, email, language, pageQuery, sortOf } from '../conventions.ts';

// Users of the main account itself. There should be at least two: one can reset the other's lost second factor.

/** A user of the main account. */
export const colleague = listedPerson;
export type Colleague = z.infer<typeof colleague>;

export const colleagueSorts = ['name', 'email', 'signedIn'] as const;
export const colleagueFields = ['name', 'email'] as const;

const path = '/dmp_aa/api/v1/colleagues/';

export const listColleagues = operation({
  id: 'colleagues.list',
  method: 'GET',
  path,
  summary: 'Users of the main account itself, including the caller.',
  scope: 'main',
  roles: mainOnly,
  query: pageQuery.extend({
    sort: sortOf(colleagueSorts),
    field: z.enum(colleagueFields).optional(),
  }),
  response: accountPageOf(colleague),
});

export const inviteColleague = operation({
  id: 'colleagues.invite',
  method: 'POST',
  path,
  summary: 'Create a user of the main account with all its rights, and mail a link to set a password.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({
    email,
    name: personName,
    /** Language of the mail. */
    language,
  }),
  response: z.object({ result: account }),
});

export const deleteColleague = operation({
  id: 'colleagues.delete',
  method: 'DELETE',
  path: `${path}{id}`,
  summary: 'Delete a user of the main account, never the caller; their sessions end at once.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ id: z.string() }),
  response: deletion,
});
