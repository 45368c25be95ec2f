/**
 * Connection settings in a config file. A config file is text; the agent reads lines of the form `name = value` with two names:
 * `server.url` (another cloud, ws:// or wss://) and `server.offline` (`true`: it does not connect at all). Everything else is for
 * other programs of the router.
 */
export function readConnection(text: string): { server: string | undefined; isOffline: boolean } {
  const settings = new Map<string, string>();
  for (const line of text.split(/\r?\n/u)) {
    const at = line.indexOf('=');
    const [name, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (at > 0 && /^[\w.]+$/u.test(name) && !/\s/u.test(value)) settings.set(name, value);
  }
  const server = settings.get('server.url');
  return {
    server: server !== undefined && isServer(server) ? server : undefined,
    isOffline: settings.get('server.offline') === 'true',
  };
}

/** Scheme, host and port, and nothing that would change the meaning of a path behind them. */
function isServer(text: string): boolean {
  return /^wss?:\/\/[^/\\?#@\s]+$/u.test(text) && URL.canParse(`${text}/`);
}
