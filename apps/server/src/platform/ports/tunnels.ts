import type { Duplex } from 'node:stream';
import type { remoteAccess } from '@highline/contract';

/** Where users connect once a tunnel exists. */
export interface Entrance {
  /** Host for SSH, URL for a web page. */
  readonly url: string;
  readonly port: number;
}

/** A client of the vehicle's network that a tunnel leads to (LIV-08), and who may use it. */
export interface TunnelClient {
  readonly address: string;
  readonly port: number;
  /** The connections to it are encrypted; its certificate is not verified. */
  readonly isTls: boolean;
  /** Address of the user, the only one whose TCP connections are accepted. */
  readonly from: string;
}

/** Bytes through a tunnel: to the service at the router, and from it. */
export interface Traffic {
  readonly sent: number;
  readonly received: number;
}

/** A connection that a router made to us, through which users reach its shell or its web page. */
export interface Tunnel {
  /**
   * Accept users.
   * @throws DomainError `remote.busy` when every port is in use, `remote.no_ports`
   */
  open(): Promise<Entrance>;
  /**
   * A connection of our own to the service at the router.
   * @throws Error when it has too many, or the router rejects it
   */
  connect(): Promise<Duplex>;
  /**
   * Whether the service accepts connections.
   * @returns SHA-256 of its certificate; null without TLS
   * @throws Error when it does not
   */
  probe(): Promise<string | null>;
  readonly traffic: Traffic;
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

/** Why a recorded terminal ends before its user leaves: it is as large as it may be, or could not be stored. */
export type RecordingStop = 'recording-full' | 'recording-failed';

/** The recording of a terminal. What is typed is not in it. */
export interface TerminalRecording {
  /** What the router showed. */
  output(bytes: Buffer): void;
  resize(cols: number, rows: number): void;
  /** The router should wait until `caughtUp`. */
  readonly isBehind: boolean;
  onCaughtUp(listener: () => void): void;
  onStopped(listener: (reason: RecordingStop) => void): void;
}

/** What ended a terminal. */
export type TerminalCause = 'left' | 'exited' | 'lost' | RecordingStop;

/** One terminal of a browser that presented its ticket (LIV-07). */
export interface TerminalEntry {
  /** Credentials at the router's SSH server. */
  readonly username: string;
  readonly password: string;
  /** Left out when it is not recorded. */
  readonly recording?: TerminalRecording;
  /** Connect to that server. */
  connect(): Promise<Duplex>;
  /**
   * The terminal is over: end its session too.
   * @param cause `left` by the browser, `exited` at the router, `lost` with the connection, or stopped by its recording
   * @returns the reason for the browser
   */
  end(cause: TerminalCause): Promise<remoteAccess.TerminalEnd>;
}

/** The tunnel of a ticket is at another process. */
export interface ElsewhereTerminal {
  /** `Tunnels.address` of that process. */
  readonly at: string;
}

/** Returns undefined for a ticket that is wrong, expired or used. */
export type AdmitTerminal = (ticket: string) => Promise<TerminalEntry | ElsewhereTerminal | undefined>;

/** How domains reach services of routers behind NAT: routers connect to us. */
export interface Tunnels {
  /** `SHA256:…` of our SSH host key, by which routers identify us. */
  readonly hostKey: string;
  /** Whether web pages can be opened, which needs a domain for them. */
  readonly hasPages: boolean;
  /** Whether ports for SSH and TCP clients of users can be opened. Terminals in the browser need none. */
  readonly hasPorts: boolean;
  /** Address for routers, `ws(s)://…/tunnel`; each process that has an address of its own has another one. */
  address(): string;
  /** Expect a router. @param id names the session; the router's user name @param client what it leads to instead of the router itself */
  expect(id: string, service: remoteAccess.ConnectionType, signal: AbortSignal, client?: TunnelClient): Expected;
  /** Accept terminals of browsers at `/terminal`. Before this call there are none. */
  serveTerminals(admit: AdmitTerminal): void;
}
