import type { colleagues } from '@highline/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { defineList, natural, shortList } from '../../platform/listing/index.ts';
import type { MainScope } from '../../kernel/scope.ts';
import { toPersonDto, type PersonRow } from './account.dto.ts';
import { isColleague } from './colleagues.store.ts';
import { inLanguageOf, type LanguageSource } from './privilege.ts';
import { bySignIn, personColumns, personFields, usersFrom } from './users.queries.ts';

type ColleaguesQuery = z.output<typeof colleagues.listColleagues.query>;

/** A main account's own users, with privileges in the language of a request. */
export const colleagueList = (request: LanguageSource) =>
  defineList({
    of: ({ mainAccountId }: MainScope, query: ColleaguesQuery) =>
      shortList(query, {
        select: sql`select ${personColumns} from ${usersFrom}`,
        table: sql`accounts a`,
        where: [sql`a.main_account_id = ${mainAccountId}::uuid`, isColleague],
        fields: personFields,
        sorts: { name: [natural(sql`a.name`)], email: [sql`a.email`], signedIn: [bySignIn] },
        sort: 'name',
        tie: sql`a.email`,
      }),
    toDto: (row: PersonRow) => inLanguageOf(request, toPersonDto(row)),
  });
