/** The settings of a router's USP agent. */
export interface AgentSettings {
  /** `wss://host[:port]/usp/<secret>?eid=…` */
  readonly url: string;
  readonly endpointId: string;
  readonly controllerId: string;
}

/** The same as the parameters of an agent (TR-181, Device.LocalAgent.Controller.{i}.MTP.{i}.WebSocket and LocalAgent.EndpointID). */
export interface AgentFields {
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly encryption: 'true' | 'false';
}

/** Split the address of a router. An agent appends `?eid=…` to its path by itself. */
export function agentFields({ url }: AgentSettings): AgentFields {
  const { protocol, hostname, port, pathname } = new URL(url);
  const isEncrypted = protocol === 'wss:';
  return {
    host: hostname.replaceAll(/[[\]]/gu, ''),
    port: port === '' ? (isEncrypted ? '443' : '80') : port,
    path: decodeURIComponent(pathname),
    encryption: isEncrypted ? 'true' : 'false',
  };
}
