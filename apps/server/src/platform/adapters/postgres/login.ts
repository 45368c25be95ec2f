import type { ClientConfig } from 'pg';
import { valueTypes } from './types.ts';

/** In the driver a connection string overrides every other option, so session settings go into its `options`. */
export function withOption(url: string, option: string): string {
  const query = url.indexOf('?');
  // Parse only the query: the platform cannot parse a socket address (postgresql://user@/database?host=/folder) as a URL.
  const parameters = new URLSearchParams(query < 0 ? '' : url.slice(query + 1));
  parameters.set('options', `${parameters.get('options') ?? ''} -c ${option}`.trim());
  return `${query < 0 ? url : url.slice(0, query)}?${parameters.toString()}`;
}

/** A setting by which a session shows that the requested ones have arrived: some poolers drop them. */
export const SESSION_MARK = 'highline.session';

/** PostgreSQL ends the session of a machine that lost power, and with it its locks, within a minute and not after two hours. */
const KEEPALIVES = ['tcp_keepalives_idle=30', 'tcp_keepalives_interval=10', 'tcp_keepalives_count=3'];

/** How the server signs in. */
export interface Login {
  readonly url: string;
  /** Through a pooler that gives each transaction another session: nothing may depend on a session, not even its settings. */
  readonly pooled: boolean;
}

/** Read and write times and days as UTC text, whatever the settings of the cluster or the login. */
export function sessionOf({ url, pooled }: Login): ClientConfig {
  const options = ['timezone=UTC', 'datestyle=ISO', `${SESSION_MARK}=on`, ...KEEPALIVES];
  const connectionString = pooled ? url : options.reduce(withOption, url);
  return { connectionString, types: valueTypes() };
}
