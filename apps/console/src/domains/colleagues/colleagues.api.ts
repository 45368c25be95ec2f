import { colleagues } from '@highline/contract';
import { call } from '../../api/client.ts';
import { pagesOf } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';

export type Colleague = colleagues.Colleague;

/** One page of the main account's own people. */
export const fetchColleagues = pagesOf(colleagues.listColleagues);

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
