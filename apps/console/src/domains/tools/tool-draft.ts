import { isHost, TOOL_LIMITS } from '@highline/contract';
import type { ToolInput, ToolKind } from './tools.api.ts';

/** What is typed for a test; numbers as text. */
export interface ToolDraft {
  readonly host: string;
  readonly ipVersion: 'any' | '4' | '6';
  readonly count: string;
  readonly hops: string;
  readonly server: string;
  readonly bytes: string;
  readonly seconds: string;
  readonly captureBytes: string;
}

export const usualDraft: ToolDraft = {
  host: '',
  ipVersion: 'any',
  count: '4',
  hops: '20',
  server: '',
  bytes: '5000000',
  seconds: '30',
  captureBytes: '1000000',
};

/** The limits of a capture file that are offered, bytes. */
export const captureSizes = [100_000, 1_000_000, 10_000_000] as const;

const PING_BYTES = 32;

/** The test as it is sent, checked as the server checks it; else the fields with an error. */
export function toInput(
  tool: ToolKind,
  draft: ToolDraft,
): { readonly input: ToolInput } | { readonly invalid: ReadonlySet<string> } {
  const input = inputOf(tool, draft);
  const invalid = new Set<string>();
  if ('host' in input && !isHost(input.host)) invalid.add('host');
  if ('server' in input && input.server !== '' && !isHost(input.server)) invalid.add('server');
  const { pings: count, hops, seconds } = TOOL_LIMITS;
  for (const [name, { least, most }] of Object.entries({ count, hops, seconds })) {
    const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1];
    if (value !== undefined && !(Number(value) >= least && Number(value) <= most)) invalid.add(name);
  }
  return invalid.size === 0 ? { input } : { invalid };
}

function inputOf(tool: ToolKind, draft: ToolDraft): ToolInput {
  const host = draft.host.trim();
  const { ipVersion } = draft;
  switch (tool) {
    case 'ping':
      return { tool, host, ipVersion, count: numberOf(draft.count), bytes: PING_BYTES };
    case 'traceroute':
      return { tool, host, ipVersion, hops: numberOf(draft.hops) };
    case 'dns':
      return { tool, host, server: draft.server.trim() };
    case 'download':
    case 'upload':
      return { tool, bytes: numberOf(draft.bytes) };
    case 'capture':
      return { tool, seconds: numberOf(draft.seconds), bytes: numberOf(draft.captureBytes) };
    case 'log':
      return { tool };
  }
}

function numberOf(text: string): number {
  return /^\d{1,9}$/u.test(text.trim()) ? Number(text) : Number.NaN;
}
