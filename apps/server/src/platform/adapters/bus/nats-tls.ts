import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { checkServerIdentity as checkIdentity, connect as connectTls } from 'node:tls';
import type { TlsOptions } from '@nats-io/transport-node';
import type { NatsSettings } from '../../settings/nats-settings.ts';

/** Options of TLS to a server of NATS. */
export function tlsOf({ servers, ca, client }: Pick<NatsSettings, 'servers' | 'ca' | 'client'>): TlsOptions {
  return { ...(ca === undefined ? {} : { ca }), ...client, ...identityCheck(servers) };
}

/**
 * Which names a certificate may have: any of the configured ones. The client knows no name of servers that are given as an IP address,
 * or that others of a cluster announce.
 */
function identityCheck(servers: readonly string[]): object {
  const hosts = servers.map((server) => splitHost(server).host);
  const checkServerIdentity: typeof checkIdentity = (_, certificate) => {
    const [first, ...others] = hosts.map((host) => checkIdentity(host, certificate));
    return others.includes(undefined) ? undefined : first;
  };
  return { checkServerIdentity };
}

/**
 * Why the first server ends a connection right after the TLS handshake: in TLS 1.3 it rejects the certificate of a client, or its
 * absence, only then, and the client library reports no more than a timeout. Undefined when it does not.
 */
export async function readTlsRejection(settings: NatsSettings, limitMs: number): Promise<Error | undefined> {
  const { host, port } = splitHost(settings.servers[0] ?? '');
  const signal = AbortSignal.timeout(limitMs);
  const tcp = connectTcp({ host, port });
  try {
    // The first line of a server, before TLS.
    await once(tcp, 'data', { signal });
    const socket = connectTls({ ...tlsOf(settings), socket: tcp });
    try {
      await once(socket, 'secureConnect', { signal });
      await once(socket.resume(), 'end', { signal });
      return undefined;
    } catch (error) {
      return signal.aborted ? undefined : (error as Error);
    } finally {
      socket.on('error', () => {}).destroy();
    }
  } catch {
    return undefined;
  } finally {
    tcp.on('error', () => {}).destroy();
  }
}

function splitHost(server: string): { host: string; port: number } {
  const colon = server.lastIndexOf(':');
  return { host: server.slice(0, colon).replace(/^\[(.+)\]$/u, '$1'), port: Number(server.slice(colon + 1)) };
}
