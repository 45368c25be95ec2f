import { remoteAccess } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callDated } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { REFRESH_MS } from '../../api/useList.ts';

export type Connection = remoteAccess.Connection;
export type ConnectionType = remoteAccess.ConnectionType;

/** The router of a session: the device's id, the serial number its commands take, and its display name. */
export interface Target {
  readonly device: string;
  readonly serial: string;
  readonly name: string;
  /** Why it cannot be reached now, as far as the page knows. */
  readonly unreachable?: 'offline' | 'not_subscribed' | 'no_subscription' | undefined;
}

/** A way to a router with its one-time credentials. It lives in a dialog and nowhere else: no address, no store, no cache. */
export interface Opened {
  readonly type: ConnectionType;
  /** For ssh the host, for gui the page's address. */
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** When the credentials expire, ms by this browser's clock. */
  readonly deadline: number;
  /** When they came, ms by this browser's clock. */
  readonly since: number;
}

const readQuery = (device: string) =>
  queryOptions({
    queryKey: ['devices', 'connection', device],
    queryFn: ({ signal }) => call(remoteAccess.getConnection, { query: { device }, signal }),
    refetchInterval: REFRESH_MS,
    meta: { topics: ['remote'] },
  });

/** The active remote session of a router; null for none (RMT-04). */
export const connectionQuery = (device: string) => queryOptions({ ...readQuery(device), select: ({ result }) => result });

/** The types of sessions that Connect offers on this server. */
export const connectionTypesQuery = (device: string) => queryOptions({ ...readQuery(device), select: ({ types }) => types });

/** Open the way. @throws ApiError with the server's message, or with the `statusMsg` of a response that is no success (RMT-05) */
async function openWay(
  serial: string,
  type: ConnectionType,
  signal: AbortSignal,
): Promise<{ readonly host: string; readonly port: number }> {
  const { statusCode, statusMsg, url, port } = await call(remoteAccess.connectDevice, { body: { serial, type }, signal });
  if (statusCode !== 200) throw new ApiError({ status: statusCode, message: statusMsg ?? `HTTP ${statusCode}` });
  return { host: url, port };
}

/**
 * Open a connection to a router's shell or page and fetch its one-time credentials (RMT-01).
 * Nothing stays open when the second step fails.
 * @param signal aborts the wait for the router; the server then closes what it opened
 * @throws ApiError `remote.exists` when another connection to this router is open
 */
export async function openConnection({ device, serial }: Target, type: ConnectionType, signal: AbortSignal): Promise<Opened> {
  const way = await openWay(serial, type, signal);
  try {
    const { response, ahead } = await callDated(remoteAccess.getOneTimeSecret, { body: { serial, type }, signal });
    const { username, password, expires } = response.content;
    // A clock with one-second precision must not extend their lifetime.
    const deadline = Math.min(expires * 1000 - ahead, Date.now() + remoteAccess.CREDENTIAL_SECONDS * 1000);
    return { type, ...way, username, password, deadline, since: Date.now() };
  } catch (error) {
    await cancelOwnConnection(device).catch(() => undefined);
    throw error;
  }
}

/** End the remote session of a router; no open session is not a failure. */
export async function cancelConnection(device: string): Promise<void> {
  await call(remoteAccess.cancelConnection, { body: { device } });
}

/** End the caller's own session, if any: how far an aborted attempt got is unknown. */
export async function cancelOwnConnection(device: string): Promise<void> {
  const { result } = await call(remoteAccess.getConnection, { query: { device } });
  if (result?.own === true) await cancelConnection(device);
}

/** Set a router's own sign-in back to its default (RMT-06). */
export async function resetPassword(serial: string): Promise<void> {
  await call(remoteAccess.resetGuiPassword, { body: { serial } });
}
