import { Resolver, getServers } from 'node:dns/promises';

/** Arguments of NSLookupDiagnostics() (TR-181 Device.DNS.Diagnostics). */
export interface LookupRequest {
  readonly host: string;
  /** Empty = the router's own. */
  readonly server: string;
  readonly repetitions: number;
  readonly timeoutMs: number;
}

interface LookupResult {
  readonly status: string;
  readonly addresses: readonly string[];
  readonly milliseconds: number;
}

/** Ask a DNS server for the addresses of a name. @returns output arguments of NSLookupDiagnostics() */
export async function lookUpName(request: LookupRequest, signal: AbortSignal): Promise<Record<string, string>> {
  const resolver = new Resolver({ timeout: request.timeoutMs, tries: 1 });
  const server = request.server === '' ? (getServers()[0] ?? '') : request.server;
  try {
    resolver.setServers([server]);
  } catch {
    return { Status: 'Error_DNSServerNotResolved', SuccessCount: '0' };
  }
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const results: LookupResult[] = [];
  for (let index = 0; index < request.repetitions; index += 1) {
    results.push(await lookUpOnce(resolver, request.host));
    signal.throwIfAborted();
  }
  signal.removeEventListener('abort', cancel);
  const successes = results.filter(({ status }) => status === 'Success').length;
  const rows = results.flatMap((result, index) => Object.entries(rowOf(result, request.host, server, index + 1)));
  return { Status: 'Complete', SuccessCount: String(successes), ...Object.fromEntries(rows) };
}

async function lookUpOnce(resolver: Resolver, host: string): Promise<LookupResult> {
  const startedAt = performance.now();
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const milliseconds = Math.round(performance.now() - startedAt);
  const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return { status: 'Success', addresses, milliseconds };
  const failed = v4.status === 'rejected' ? v4 : v6;
  const code = failed.status === 'rejected' ? ((failed.reason as NodeJS.ErrnoException).code ?? '') : '';
  return { status: statuses[code] ?? 'Error_HostNameNotResolved', addresses, milliseconds };
}

const statuses: Readonly<Record<string, string>> = {
  ETIMEOUT: 'Error_Timeout',
  ECONNREFUSED: 'Error_DNSServerNotAvailable',
  ECANCELLED: 'Error_Other',
};

function rowOf(
  { status, addresses, milliseconds }: LookupResult,
  host: string,
  server: string,
  number: number,
): Record<string, string> {
  const row = `Result.${number}.`;
  return {
    [`${row}Status`]: status,
    [`${row}AnswerType`]: status === 'Success' ? 'NonAuthoritative' : 'None',
    [`${row}HostNameReturned`]: status === 'Success' ? host : '',
    [`${row}IPAddresses`]: addresses.slice(0, 10).join(','),
    [`${row}DNSServerIP`]: server,
    [`${row}ResponseTime`]: String(milliseconds),
  };
}
