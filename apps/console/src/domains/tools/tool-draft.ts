import { tools } from '@highline/contract';
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
  const parsed = tools.toolInput.safeParse(inputOf(tool, draft));
  if (parsed.success) return { input: parsed.data };
  const names = parsed.error.issues.map(({ path }) => String(path[0]));
  return { invalid: new Set(names) };
}

function inputOf(tool: ToolKind, draft: ToolDraft): object {
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
