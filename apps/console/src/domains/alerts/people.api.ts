import { alertPeople } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type Page, pageOf, type PageRequest } from '../../api/useList.ts';
import type { Language } from '../../ui/language.ts';
import type { ListQuery } from '../../ui/list/spec.ts';
import type { peopleList } from './alerts.lists.ts';

export type Person = alertPeople.AlertPerson;

/** Which alerts an address gets, as its form has it. */
export interface PersonInput extends Pick<Person, 'mail' | 'severities' | 'hours' | 'channels'> {
  /** Left out: its own. */
  readonly language?: Language;
  readonly zone?: string;
}

/** One page of the people and addresses of the organization. */
export async function fetchPeople(
  { around: _around, ...query }: ListQuery<typeof peopleList> & PageRequest,
  signal: AbortSignal,
): Promise<Page<Person>> {
  return pageOf(await call(alertPeople.listPeople, { query, signal }));
}

/** People of one page. */
const PAGE = 200;

/** Whether anyone gets alerts of this severity, whatever rules name. */
export async function informsBySeverity(severity: Person['severities'][number]): Promise<boolean> {
  for (let offset = 0; ; offset += PAGE) {
    const { result } = await call(alertPeople.listPeople, { query: { informed: 'true', limit: PAGE, offset } });
    const isInformed = result.some(
      ({ severities, channels, browsers }) =>
        severities.includes(severity) && (channels.includes('mail') || (channels.includes('push') && browsers > 0)),
    );
    if (isInformed || result.length < PAGE) return isInformed;
  }
}

/** The version of an address without an entry. */
export const NEW = 'none';

/** @throws ApiError `conflict.stale` when the address has another entry by now */
export async function savePerson(input: PersonInput, version: string): Promise<Person> {
  return (await call(alertPeople.savePerson, { body: input, ifMatch: `"${version}"` })).result;
}

export async function deletePeople(mails: readonly string[]): Promise<void> {
  await call(alertPeople.deletePeople, { body: { mails: [...mails] } });
}

/** The key that browsers register with, the browsers of the user that have, and how many of them get no messages. */
export const fetchPushKey = async (signal?: AbortSignal) => {
  const { result } = await call(alertPeople.pushKey, { query: {}, ...(signal !== undefined && { signal }) });
  // A process of the version before names none.
  return { ...result, endpoints: (result.endpoints as typeof result.endpoints | undefined) ?? [] };
};

export type PushKey = Awaited<ReturnType<typeof fetchPushKey>>;

export const pushKeyQuery = queryOptions({
  queryKey: ['alerts', 'push'],
  queryFn: ({ signal }) => fetchPushKey(signal),
  meta: { topics: ['alerts'] },
});

export async function addBrowser(browser: {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly language: Language;
  readonly zone: string;
}): Promise<void> {
  await call(alertPeople.addBrowser, { body: browser });
}

export async function removeBrowser(endpoint: string): Promise<void> {
  await call(alertPeople.removeBrowser, { body: { endpoint } });
}

/** @returns how many browsers of the user a test was sent to */
export async function testBrowsers(): Promise<number> {
  return (await call(alertPeople.testBrowsers, { body: {} })).result.browsers;
}
