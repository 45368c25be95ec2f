/** Services that a tunnel can lead to. */
export const services = ['SSH', 'GUI'] as const;
export type Service = (typeof services)[number];

/** A device of the vehicle's network, by both of its addresses: a tunnel leads to it while it has both. */
export type ClientTarget = {
  /** Six octets with colons. */
  mac: string;
  /** IPv4. */
  address: string;
  port: number;
};

/** Tunnel of one remote session, as requested by Device.X_HIGHLINE_OpenTunnel() or OpenClientTunnel(). */
export type TunnelRequest = {
  /** ws:// or wss://, ending in /tunnel. */
  address: string;
  /** The session's id, and the user name of the tunnel. */
  user: string;
  /** Proves to the cloud that this is the session's router; valid once. */
  secret: string;
  /** Fingerprint of the cloud's SSH host key: 'SHA256:' and its digest in base64 without padding, as ssh-keygen prints it. */
  hostKey: string;
  /** What it leads to. */
  service: Service | ClientTarget;
};

/** Temporary credentials, as given by Device.X_HIGHLINE_GrantAccess(). */
export type GrantRequest = { username: string; password: string; service: Service; seconds: number };

/** Remote access functions for commands. Each returns what is wrong, or undefined. */
export type RemoteControl = {
  /** Start connecting and return; a tunnel that was open before ends. */
  open(request: TunnelRequest): string | undefined;
  /** End the session's tunnel and all connections through it. */
  close(user: string): string | undefined;
  grant(user: string, request: GrantRequest): string | undefined;
  /** Accept no more sign-ins with the session's credentials; signed-in users stay. */
  revoke(user: string): string | undefined;
};

/** State of a service of the router. */
export type ServiceStatus = {
  /** Port on loopback; undefined while it does not listen. */
  port: number | undefined;
  /** Signed-in users. */
  sessions: number;
};
