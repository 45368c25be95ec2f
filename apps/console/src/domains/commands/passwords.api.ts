import { routerPasswords } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, type CallInput, type CallResponse } from '../../api/client.ts';
import { pagesOf, REFRESH_MS } from '../../api/useList.ts';

export type RouterPassword = routerPasswords.RouterPassword;
export type PasswordSettings = routerPasswords.PasswordSettings;
export type StoredPasswordSettings = routerPasswords.StoredPasswordSettings;
export type MadePassword = CallResponse<typeof routerPasswords.setRouterPassword>['result'];
export type ShownPasswords = CallResponse<typeof routerPasswords.showRouterPassword>['result'];

/** The state of the password of one device. */
export const passwordQuery = (device: string) =>
  queryOptions({
    queryKey: ['commands', 'password', device],
    queryFn: async ({ signal }) =>
      (await call(routerPasswords.listRouterPasswords, { query: { device, limit: 1 }, signal })).result[0] ?? null,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['commands'] },
  });

export const fetchPasswords = pagesOf(routerPasswords.listRouterPasswords);

/** Set a password: what was typed, or a random one, which is answered. */
export async function setPassword(body: CallInput<typeof routerPasswords.setRouterPassword>['body']): Promise<MadePassword> {
  return (await call(routerPasswords.setRouterPassword, { body })).result;
}

/** @param own the password of the signed-in user */
export async function showPasswords(device: string, own: string): Promise<ShownPasswords> {
  return (await call(routerPasswords.showRouterPassword, { body: { device, own_password: own } })).result;
}

export const passwordSettingsQuery = queryOptions({
  queryKey: ['commands', 'password-settings'],
  queryFn: async ({ signal }) => (await call(routerPasswords.readPasswordSettings, { query: {}, signal })).result,
  meta: { topics: ['commands'] },
});

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export async function savePasswordSettings(settings: PasswordSettings, etag: string): Promise<PasswordSettings> {
  return (await call(routerPasswords.savePasswordSettings, { body: settings, ifMatch: etag })).result;
}
