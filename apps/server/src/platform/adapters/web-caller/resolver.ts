import { Resolver } from 'node:dns/promises';
import type { HostResolver } from '../../ports/web-caller.ts';
import { createHostsFile } from './hosts-file.ts';

interface ResolverSettings {
  /** Name servers as `address:port`; default: those of the operating system. */
  readonly servers?: readonly string[];
  /** Default: that of the operating system. */
  readonly hostsFile?: string;
}

/** The first wait for a name server; the next one is longer. Both together are shorter than a call. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** Answers that say that a name, or an address of this kind, does not exist. */
const NOT_FOUND = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** A name without an address, with the code that the resolver of the operating system would have. */
class Unresolved extends Error {
  readonly code: 'ENOTFOUND' | 'EAI_AGAIN';

  constructor(host: string, code: Unresolved['code'], cause: unknown) {
    super(`${host} has no address.`, { cause });
    this.code = code;
  }
}

/**
 * Resolves names by the hosts file, then by DNS as they are written: search domains are not used. Not with `dns.lookup`, which occupies one of
 * the few threads of the process until name servers answer, also when no call waits any more: names of one tenant would stop those of all.
 */
export function createResolver({ servers, hostsFile = '/etc/hosts' }: ResolverSettings = {}): HostResolver {
  const hosts = createHostsFile(hostsFile);
  return {
    async resolve(host, signal) {
      const known = await hosts.addressesOf(host);
      signal.throwIfAborted();
      return known.length > 0 ? known : resolveByDns(host, signal, servers);
    },
  };
}

/** The IPv4 addresses of a name, then the IPv6 ones: connections begin with the first, and not every network has IPv6. */
async function resolveByDns(host: string, signal: AbortSignal, servers?: readonly string[]): Promise<readonly string[]> {
  // One for each lookup: it reads the system's settings as they are now, and cancelling ends this lookup only.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const responses = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
    if (addresses.length === 0) throw unresolved(host, responses);
    return addresses;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

type Outcomes = readonly PromiseSettledResult<unknown>[];

/** A name does not exist only if both answers say so. */
function unresolved(host: string, responses: Outcomes): Unresolved {
  const reasons = responses.flatMap((response) =>
    response.status === 'rejected' ? [response.reason as NodeJS.ErrnoException] : [],
  );
  const other = reasons.find(({ code = '' }) => !NOT_FOUND.has(code));
  return new Unresolved(host, other === undefined ? 'ENOTFOUND' : 'EAI_AGAIN', other ?? reasons[0]);
}
