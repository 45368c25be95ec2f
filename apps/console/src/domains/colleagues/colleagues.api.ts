import { colleagues } from '@highline/contract';
import { call } from '../../api/client.ts';
import { searchQuery } from '../../api/searchQuery.ts';
import type { Page, PageRequest } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { ListSearch } from '../../ui/list/spec.ts';
import type { colleagueList } from './colleagues.lists.ts';

export type Colleague = colleagues.Colleague;

/** One page of the main account's own people. */
export async function fetchColleagues(
  search: ListSearch<typeof colleagueList>,
  page: PageRequest,
  signal: AbortSignal,
): Promise<Page<Colleague>> {
  const answer = await call(colleagues.listColleagues, {
    query: { sort: search.sort, ...searchQuery(search, 'name'), ...page },
    signal,
  });
  return { rows: answer.result.list, total: answer.total ?? answer.result.list.length };
}

export interface NewColleague {
  readonly name: string;
  readonly email: string;
}

/** Create a user of the main account, who receives an email to set a password. @throws ApiError `account.exists` */
export async function inviteColleague({ name, email }: NewColleague, language: Language): Promise<void> {
  await call(colleagues.inviteColleague, { body: { name: name.trim(), email, language } });
}

/** Delete colleagues one after another; the first failure stops the rest. */
export async function deleteColleagues(picked: readonly Colleague[]): Promise<void> {
  // A handful, and each is a step of its own in the log.
  for (const { id } of picked) await call(colleagues.deleteColleague, { params: { id } });
}
