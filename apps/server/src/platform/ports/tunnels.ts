import type { remoteAccess } from '@highline/contract';

/** Where users connect once a tunnel exists. */
export interface Entrance {
  /** Host for SSH, URL for a web page. */
  readonly url: string;
  readonly port: number;
}

/** A connection that a router made to us, through which users reach its shell or its web page. */
export interface Tunnel {
  /**
   * Accept users.
   * @throws DomainError `remote.busy` when every port is in use
   */
  open(): Promise<Entrance>;
  /** Accept no new users; current ones stay. */
  shut(): void;
  /** Whether a user is connected, or may reconnect without a new request. */
  readonly isUsed: boolean;
  /** Milliseconds since the last traffic. */
  readonly quietMs: number;
  /** Cut all connections at once. */
  close(): void;
  /** Resolves at the end, whichever side ended it. */
  readonly ended: Promise<void>;
}

/** An expected router and the proof it must give. */
export interface Expected {
  /** Given to the router once, and valid once. */
  readonly secret: string;
  /** Resolves when the router connected; rejects with the signal's reason. */
  readonly arrived: Promise<Tunnel>;
}

/** How domains reach services of routers behind NAT: routers connect to us. */
export interface Tunnels {
  /** `SHA256:…` of our SSH host key, by which routers identify us. */
  readonly hostKey: string;
  /** Whether web pages can be opened, which needs a domain for them. */
  readonly hasPages: boolean;
  /** Address for routers, `ws(s)://…/tunnel`. */
  address(): string;
  /** Expect a router. @param id names the session; the router's user name */
  expect(id: string, service: remoteAccess.ConnectionType, signal: AbortSignal): Expected;
}
