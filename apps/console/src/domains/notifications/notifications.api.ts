import { notifications } from '@highline/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Page, pagesOf, REFRESH_MS } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { Subscription, RecipientInput } from './notification.ts';

export type UndeliveredMail = notifications.UndeliveredMail;

/** One page of recipients. */
export const fetchRecipients = pagesOf(notifications.listRecipients);

/** The notifications of one address; null if it has none. */
export const subscriptionQuery = (mail: string) =>
  queryOptions({
    queryKey: ['notifications', 'one', mail],
    queryFn: async ({ signal }) =>
      (await call(notifications.listRecipients, { query: { mail, limit: 1, offset: 0 }, signal })).result[0] ?? null,
    meta: { topics: ['notifications'] },
  });

/** The language and time zone of emails to a new address: those of the user who adds it. */
export interface RecipientLocale {
  readonly language: Language;
  readonly zone: string;
}

/** The version of an address without notifications. */
export const NEW = 'none';

/**
 * Set the notifications of an address; without events they are removed. `locale` is for a new address.
 * @param version the version the change is based on
 * @throws ApiError `conflict.stale` when another user saved in the meantime
 */
export async function saveRecipient(
  { mail, recipient, groups: keys, events }: RecipientInput,
  version: string,
  locale?: RecipientLocale,
): Promise<Subscription> {
  const body = {
    mail,
    recipient: recipient.trim(),
    events: [...events],
    gids: keys.length === 0 ? ['all'] : [...keys],
    ...locale,
  };
  return (await call(notifications.saveRecipient, { body, ifMatch: `"${version}"` })).result;
}

/** The most addresses of one call. */
const MOST_MAILS = 200;

/** Remove all notifications of addresses. */
export async function removeRecipients(mails: readonly string[]): Promise<void> {
  for (let at = 0; at < mails.length; at += MOST_MAILS)
    await call(notifications.deleteRecipients, { body: { mails: mails.slice(at, at + MOST_MAILS) } });
}

/** One page of the undelivered emails, newest first. */
export const undeliveredQuery = (page: number, size: number) =>
  queryOptions({
    queryKey: ['notifications', 'undelivered', size, page],
    queryFn: async ({ signal }): Promise<Page<UndeliveredMail>> => {
      const query = { limit: size, offset: (page - 1) * size };
      const response = await call(notifications.listUndelivered, { query, signal });
      return { rows: response.result, total: response.total ?? response.result.length };
    },
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['notifications'] },
  });

/** Retry emails. @returns how many */
export async function sendAgain(ids: readonly string[]): Promise<number> {
  return (await call(notifications.sendAgain, { body: { ids: [...ids] } })).result.queued;
}

/** Send one mail to the signed-in person. @returns what the mail server said */
export async function sendTestMail(): Promise<notifications.TestMail> {
  return (await call(notifications.sendTestMail, { body: {} })).result;
}
