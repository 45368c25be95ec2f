import { z } from 'zod';
import { account, person, personName } from './accounts.ts';
import { mainOnly, operation } from './operation.ts';
import { accountPageOf, email, language, pageQuery, sortOf } from './wire.ts';

// People of the main account itself. Two of them at least: the one who lost the second factor is let in by the other.

/** Somebody of the main account. */
export const colleague = person.extend({
  /** When they signed in last, epoch seconds; null = never. */
  signedIn: z.number().nullable(),
});
export type Colleague = z.infer<typeof colleague>;

export const colleagueSorts = ['name', 'email', 'signedIn'] as const;
export const colleagueFields = ['name', 'email'] as const;

const path = '/dmp_aa/api/v1/colleagues/';

export const listColleagues = operation({
  id: 'colleagues.list',
  method: 'GET',
  path,
  summary: 'People of the main account itself, oneself among them.',
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
  summary: 'Create a person of the main account, who may do all that it may, and mail a link to set a password.',
  scope: 'main',
  roles: mainOnly,
  body: z.object({
    email,
    name: personName,
    /** Of the mail. */
    language,
  }),
  response: z.object({ result: account }),
});

export const deleteColleague = operation({
  id: 'colleagues.delete',
  method: 'DELETE',
  path: `${path}{id}`,
  summary: 'Delete a person of the main account, never oneself; their sessions end at once.',
  scope: 'main',
  roles: mainOnly,
  params: z.object({ id: z.string() }),
  response: z.object({ result: z.object({ deleted: z.number() }) }),
});

export const colleagueOperations = [listColleagues, inviteColleague, deleteColleague] as const;
