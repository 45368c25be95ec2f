import { isHost, type tools } from '@highline/contract';

/** A test of a rule, as typed. */
export interface TestDraft {
  readonly tool: tools.RuleTest['tool'];
  readonly host: string;
  /** Empty = the DNS server of the router. */
  readonly server: string;
}

export const usualTest: TestDraft = { tool: 'ping', host: '', server: '' };
export const testTools = ['ping', 'traceroute', 'dns'] as const satisfies readonly TestDraft['tool'][];

const PINGS = { count: 4, bytes: 32 } as const;
const HOPS = 20;

export function testDraftOf(test: tools.RuleTest): TestDraft {
  return { tool: test.tool, host: test.host, server: test.tool === 'dns' ? test.server : '' };
}

/** The test of a draft, with the usual numbers. */
export function testOf(draft: TestDraft): tools.RuleTest {
  const { tool } = draft;
  const host = draft.host.trim();
  if (tool === 'dns') return { tool, host, server: draft.server.trim() };
  return tool === 'ping' ? { tool, host, ipVersion: 'any', ...PINGS } : { tool, host, ipVersion: 'any', hops: HOPS };
}

/** The field with an error, if any: as the server checks it. */
export function invalidOf({ tool, host, server }: TestDraft): 'host' | 'server' | undefined {
  if (!isHost(host.trim())) return 'host';
  return tool === 'dns' && server.trim() !== '' && !isHost(server.trim()) ? 'server' : undefined;
}
