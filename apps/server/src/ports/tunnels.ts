import type { remoteAccess } from '@highline/contract';

/** Where people come in, once there is a way. */
export interface Entrance {
  /** For SSH the host to connect to, for a web page its address. */
  readonly url: string;
  readonly port: number;
}

/** A connection that a router made to us, through which people reach its shell or its web page. */
export interface Tunnel {
  /**
   * Let people in.
   * @throws DomainError `remote.busy` when every port is taken
   */
  open(): Promise<Entrance>;
  /** Let nobody new in; who is inside stays. */
  shut(): void;
  /** Whether somebody is inside, or may come back without asking. */
  readonly isUsed: boolean;
  /** Milliseconds since anything last went through. */
  readonly quietMs: number;
  /** Cut everything off, at once. */
  close(): void;
  /** Resolves when it is over, whoever ended it. */
  readonly ended: Promise<void>;
}

/** A router is expected; what it needs to prove that it is the one. */
export interface Expected {
  /** Tells it once, and is good once. */
  readonly secret: string;
  /** Resolves when it came; rejects with the signal's reason. */
  readonly arrived: Promise<Tunnel>;
}

/** How rooms have routers behind NAT reached: routers call out to us, since nobody can call them. */
export interface Tunnels {
  /** `SHA256:…` of our SSH host key, by which routers know us. */
  readonly hostKey: string;
  /** Whether web pages can be opened: there is a domain for them. */
  readonly hasPages: boolean;
  /** Where routers connect, `ws(s)://…/tunnel`. */
  address(): string;
  /** Expect a router. @param id names the session; the router's user name */
  expect(id: string, service: remoteAccess.ConnectionType, signal: AbortSignal): Expected;
}
