/** What a tunnel leads to. */
export const services = ['SSH', 'GUI'] as const;
export type Service = (typeof services)[number];

/** A way for one remote session, as Device.X_HIGHLINE_OpenTunnel() asks for it. */
export type TunnelRequest = {
  /** ws:// or wss://, ending in /tunnel. */
  address: string;
  /** The session's id, and the name under which the tunnel signs in. */
  user: string;
  /** Proves to the cloud that it is this session's router; good once. */
  secret: string;
  /** Of the cloud's SSH host key: 'SHA256:' and its digest in base64 without padding, as ssh-keygen prints it. */
  hostKey: string;
  service: Service;
};

/** Credentials that work for a while, as Device.X_HIGHLINE_GrantAccess() brings them. */
export type GrantRequest = { username: string; password: string; service: Service; seconds: number };

/** What commands may do to the ways into the router. Each answers what is wrong in plain words, or undefined. */
export type RemoteControl = {
  /** Begins to connect and returns; a tunnel that was open before ends. */
  open(request: TunnelRequest): string | undefined;
  /** Ends the session's tunnel and all that came through it. */
  close(user: string): string | undefined;
  grant(user: string, request: GrantRequest): string | undefined;
  /** Nobody signs in with the session's credentials any more; who is in stays. */
  revoke(user: string): string | undefined;
};

/** How a service of the router stands now. */
export type ServiceStatus = {
  /** Port on loopback; undefined while it does not listen. */
  port: number | undefined;
  /** People who are in. */
  sessions: number;
};
