import { remoteClients } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, ifMatch } from '../../../api/client.ts';
import { ApiError } from '../../../api/errors.ts';

export type ClientAccess = remoteClients.ClientAccess;
export type ClientRule = remoteClients.ClientRule;
export type StoredClientRule = remoteClients.StoredClientRule;

/** A client of a device, by both of its addresses. */
export interface ClientTarget {
  readonly device: string;
  readonly mac: string;
  readonly address: string;
  readonly port: number;
}

/** What was opened. It lives in a dialog and nowhere else. */
export interface OpenedClient {
  readonly url: string;
  readonly port: number;
  /** SHA-256 of the certificate; null: none. */
  readonly certificate: string | null;
  /** The only address whose connections are accepted; null: a page. */
  readonly from: string | null;
}

const REFRESH_MS = 30_000;

/** Whether the user can open clients of a device, and which. */
export const clientAccessQuery = (device: string) =>
  queryOptions({
    queryKey: ['networks', device, 'access'] as const,
    queryFn: async ({ signal }) => (await call(remoteClients.getClientAccess, { query: { device }, signal })).result,
    refetchInterval: REFRESH_MS,
    meta: { topics: ['remote'] },
  });

/** @throws ApiError with the server's message, or with the router's own */
export async function openClient(
  target: ClientTarget,
  service: 'http' | 'https' | 'ssh' | 'tcp',
  signal: AbortSignal,
): Promise<OpenedClient> {
  const { statusCode, statusMsg, ...opened } = await call(remoteClients.openClient, { body: { ...target, service }, signal });
  if (statusCode !== 200) throw new ApiError({ status: statusCode, message: statusMsg ?? `HTTP ${statusCode}` });
  return opened;
}

/** A ticket for a terminal at the client's SSH server. @throws ApiError as `openClient` */
export async function openClientTerminal(
  target: ClientTarget,
  signIn: { readonly username: string; readonly password: string },
  signal: AbortSignal,
): Promise<{ readonly ticket: string; readonly recorded: boolean }> {
  const body = { ...target, ...signIn };
  const { statusCode, statusMsg, ...opened } = await call(remoteClients.openClientTerminal, { body, signal });
  if (statusCode !== 200) throw new ApiError({ status: statusCode, message: statusMsg ?? `HTTP ${statusCode}` });
  return opened;
}

/** End the user's own session to a client, if there is one. */
export async function endClient(device: string): Promise<void> {
  await call(remoteClients.endClient, { body: { device } });
}

/** @throws ApiError `conflict.stale` when another person saved in the meantime */
export async function saveClientRule(rule: ClientRule, etag: string | undefined): Promise<StoredClientRule> {
  return (await call(remoteClients.saveClientRule, { body: rule, ...ifMatch(etag) })).result;
}
