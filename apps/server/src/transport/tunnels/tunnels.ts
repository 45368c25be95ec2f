import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { remoteAccess } from '@highline/contract';
import { DomainError, guard } from '../../kernel/index.ts';
import type { Log, Entrance, Tunnel, TunnelClient, Tunnels } from '../../platform/ports/index.ts';
import { encrypted } from './encrypted.ts';
import { createTunnelEndpoint, type Arrival } from './tunnel-endpoint.ts';
import type { HostKey } from './host-key.ts';
import { Invitations } from './invitations.ts';
import { openSshPort, type PortRange, type SshPort } from './ssh-port.ts';
import { createTerminals } from './terminals.ts';
import { createWebPages, type WebPage, type WebPages } from './web-pages.ts';

export interface TunnelDeps {
  readonly hostKey: HostKey;
  /** Listening address of SSH ports. */
  readonly host: string;
  /** Any free port when left out; with `none`, no port is opened. */
  readonly ports: PortRange | 'none' | undefined;
  /** Parent domain of web pages, each with its own name; left out, none can be opened. */
  readonly domain: string | undefined;
  /** Address of the console, `http(s)://host[:port]`. */
  origin(): string;
  addressOf(request: IncomingMessage): string;
  readonly log: Log;
}

export interface AttachedTunnels extends Tunnels {
  /** Takes upgrades to /tunnel, /terminal and to web pages of routers. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Accept no more connections, and cut all. */
  close(): void;
}

/** Attach tunnels to a server: routers connect at /tunnel, users through separate ports and web pages. */
export function attachTunnels(server: Server | SecureServer, deps: TunnelDeps): AttachedTunnels {
  const { hostKey, domain, addressOf, log } = deps;
  const invitations = new Invitations();
  const waiting = new Map<string, Leading & { arrived(tunnel: Tunnel): void }>();
  const pages = domain === undefined ? undefined : createWebPages(server, { domain, log });
  const terminals = createTerminals(log);
  const endpoint = createTunnelEndpoint({
    hostKey,
    invitations,
    addressOf,
    log,
    arrived(arrival) {
      const expected = waiting.get(arrival.id);
      waiting.delete(arrival.id);
      // The waiting request was cancelled meanwhile.
      if (expected === undefined) arrival.close();
      else expected.arrived(tunnelOf(arrival, expected, { ...deps, pages }));
    },
  });

  return {
    hostKey: hostKey.fingerprint,
    hasPages: pages !== undefined,
    hasPorts: deps.ports !== 'none',
    address: () => `${deps.origin().replace(/^http/u, 'ws')}/tunnel`,
    expect(id, service, signal, client) {
      const secret = invitations.issue(id, client === undefined ? service : 'client', performance.now());
      const arrived = new Promise<Tunnel>((resolve, reject) => {
        waiting.set(id, { service, client, arrived: resolve });
        const giveUp = () => {
          waiting.delete(id);
          invitations.withdraw(id);
          reject(signal.reason as Error);
        };
        if (signal.aborted) giveUp();
        else signal.addEventListener('abort', guard(log, reject, giveUp), { once: true });
      });
      return { secret, arrived };
    },
    serveTerminals: (admit) => terminals.serve(admit),
    upgrade: (request, socket, head) =>
      pages?.upgrade(request, socket, head) === true ||
      terminals.upgrade(request, socket, head) ||
      endpoint.upgrade(request, socket, head),
    close() {
      terminals.close();
      endpoint.close();
    },
  };
}

type Entrances = Pick<TunnelDeps, 'log' | 'host' | 'ports' | 'domain' | 'origin'> & { readonly pages: WebPages | undefined };

/** What a tunnel leads to. */
interface Leading {
  readonly service: remoteAccess.ConnectionType;
  readonly client: TunnelClient | undefined;
}

function tunnelOf(arrival: Arrival, { service, client }: Leading, deps: Entrances): Tunnel {
  const { channels } = arrival;
  const connections = client?.isTls === true ? encrypted(channels, deps.log) : channels;
  let way: SshPort | WebPage | undefined;
  let isOver = false;
  const over = () => {
    isOver = true;
    way?.close();
  };
  void arrival.ended.then(over);

  const openSsh = async (): Promise<Entrance> => {
    if (deps.ports === 'none') throw new DomainError('remote.no_ports');
    const opened = await openSshPort(channels, deps.host, deps.ports, deps.log, client);
    way = opened;
    if (isOver) opened.close();
    return { url: new URL(deps.origin()).hostname.replace(/^\[|\]$/gu, ''), port: opened.port };
  };

  const openPage = (pages: WebPages): Entrance => {
    const name = randomBytes(16).toString('hex');
    const origin = new URL(deps.origin());
    way = pages.open(name, connections, { isSecure: origin.protocol === 'https:', client });
    if (isOver) way.close();
    origin.hostname = `${name}.${deps.domain}`;
    return { url: `${origin.origin}/`, port: Number(origin.port) || (origin.protocol === 'https:' ? 443 : 80) };
  };

  return {
    open: async () => (service === 'ssh' || deps.pages === undefined ? openSsh() : openPage(deps.pages)),
    connect: () => channels.open(),
    async probe() {
      const connection = await connections.open();
      connection.on('error', () => {});
      const certificate = connection instanceof TLSSocket ? connection.getPeerX509Certificate()?.fingerprint256 : undefined;
      connection.destroy();
      return certificate ?? null;
    },
    get traffic() {
      return channels.traffic;
    },
    shut: () => way?.shut(),
    get isUsed() {
      return channels.count > 0 || (way !== undefined && 'hasVisitor' in way && way.hasVisitor);
    },
    get quietMs() {
      return channels.quietMs;
    },
    close() {
      way?.close();
      arrival.close();
    },
    ended: arrival.ended,
  };
}
