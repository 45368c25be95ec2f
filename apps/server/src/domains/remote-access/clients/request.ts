import { isIPv4 } from 'node:net';
import { normalizeMac } from '@highline/usp';
import type { remoteAccess } from '@highline/contract';
import { DomainError, type Actor, type OrganizationScope } from '../../../kernel/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { unreachableAs, type TunnelClient } from '../../../platform/ports/index.ts';
import { readReportedNetworks } from '../../networks/index.ts';
import type { RemoteTarget } from '../remote-access.queries.ts';
import { rejectionOf } from './client-rule.ts';
import { readClientRule } from './client-rule.queries.ts';
import { rejectionOfClient } from './find-client.ts';

type Target = NonNullable<remoteAccess.Connection['client']>;

/** A client that a user requests, and from where connections to it are accepted (`TunnelClient.from`). */
export interface RequestedClient {
  readonly target: Target;
  readonly from: string;
}

/**
 * A client as it is typed, in one spelling.
 * @throws DomainError `client.address_invalid`, `client.port_invalid`, `client.not_there` for a MAC address that is none
 */
export function parseClient({ mac, address, port, service }: Target): Target {
  const octets = normalizeMac(mac)?.match(/../gu)?.join(':');
  if (!isIPv4(address)) throw new DomainError('client.address_invalid', { field: 'address' });
  if (port < 1 || port > 65_535) throw new DomainError('client.port_invalid', { field: 'port' });
  if (octets === undefined) throw new DomainError('client.not_there', { field: 'mac' });
  return { mac: octets, address, port, service };
}

export function toTunnelClient({ target: { address, port, service }, from }: RequestedClient): TunnelClient {
  return { address, port, isTls: service === 'https', from };
}

/** @throws DomainError `client.off`, `client.not_allowed` */
export async function rejectByRule(
  { database }: Pick<Deps, 'database'>,
  scope: OrganizationScope,
  { role }: Pick<Actor, 'role'>,
  { target }: RequestedClient,
): Promise<void> {
  const rejection = rejectionOf(await readClientRule(database.read, scope), role, target);
  if (rejection !== undefined) throw new DomainError(rejection);
}

/**
 * Reject a client that is not in the vehicle's network now. The router is read for it.
 * @throws DomainError `client.unread`, `client.outside`, `client.not_there`, `remote.offline`, `remote.no_answer`
 */
export async function rejectAbsent(
  { database, deviceLink }: Pick<Deps, 'database' | 'deviceLink'>,
  scope: OrganizationScope,
  device: RemoteTarget,
  { target }: RequestedClient,
): Promise<void> {
  try {
    const stored = await readReportedNetworks(database.read, scope, device);
    if (stored.lans === undefined) await deviceLink.refresh(device.routerId, 'uplinks');
    await deviceLink.refresh(device.routerId, 'clients');
  } catch (error) {
    throw unreachableAs('remote', error);
  }
  const rejection = rejectionOfClient(await readReportedNetworks(database.read, scope, device), target);
  if (rejection !== undefined) throw new DomainError(rejection);
}
