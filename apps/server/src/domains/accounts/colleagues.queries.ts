import type { colleagues } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { defineList, shortList } from '../../platform/listing/index.ts';
import type { MainScope } from '../../kernel/scope.ts';
import { toPersonDto, type PersonRow } from './account.dto.ts';
import { isColleague } from './colleagues.store.ts';
import { inLanguageOf, type LanguageSource } from './privilege.ts';
import { personColumns, personFields, usersFrom } from './users.queries.ts';

type ColleaguesQuery = z.output<typeof colleagues.listColleagues.query>;

type ColleagueRow = PersonRow & { readonly signed_in_at: Date | null };

const toColleagueDto = ({ signed_in_at: at, ...row }: ColleagueRow): colleagues.Colleague => ({
  ...toPersonDto(row),
  signedIn: at === null ? null : Math.floor(at.getTime() / 1000),
});

/** A main account's own users, with privileges in the language of a request. */
export const colleagueList = (request: LanguageSource) =>
  defineList({
    of: ({ mainAccountId }: MainScope, query: ColleaguesQuery) =>
      shortList(query, {
        select: sql`select ${personColumns}, a.signed_in_at from ${usersFrom}`,
        table: sql`accounts a`,
        where: [sql`a.main_account_id = ${mainAccountId}::uuid`, isColleague],
        fields: personFields,
        sorts: { name: [sql`a.name collate "C"`], email: [sql`a.email`], signedIn: [sql`coalesce(a.signed_in_at, '-infinity')`] },
        sort: 'name',
        tie: sql`a.email`,
      }),
    toDto: (row: ColleagueRow) => inLanguageOf(request, toColleagueDto(row)),
  });
