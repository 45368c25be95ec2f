import type { tools } from '@highline/contract';
import type { RouterDiagnostic } from '../../platform/ports/index.ts';

/** Milliseconds that a router waits for each answer. */
const TIMEOUTS = { ping: 2_000, traceroute: 1_000, dns: 5_000 } as const;
const TRIES_OF_HOP = 2;
/** Beyond the time that the test itself needs: for its end to arrive, also after a short loss of coverage. */
const GRACE_MS = 90_000;
const TRANSFER_MS = 90_000;

/** What the router transfers to or from. @property log path of its log, with the final dot */
export interface ToolTarget {
  readonly url: string;
  readonly log: string;
}

/** Whether the router transfers something to or from an address of ours. */
export function transfers({ tool }: tools.ToolInput): boolean {
  return tool === 'download' || tool === 'upload' || sendsFile(tool);
}

/** Whether what the router sends is kept. */
export function sendsFile(tool: tools.ToolKind): tool is 'capture' | 'log' {
  return tool === 'capture' || tool === 'log';
}

/** The same as an operation of a router. */
export function toOperation(input: tools.ToolInput, { url, log }: ToolTarget): RouterDiagnostic {
  const access = { url, username: '', password: '' };
  switch (input.tool) {
    case 'ping': {
      const { host, ipVersion, count, bytes } = input;
      return { type: 'ping', host, ipVersion, repetitions: count, timeoutMs: TIMEOUTS.ping, size: bytes };
    }
    case 'traceroute': {
      const { host, ipVersion, hops } = input;
      return { type: 'traceroute', host, ipVersion, maxHops: hops, tries: TRIES_OF_HOP, timeoutMs: TIMEOUTS.traceroute };
    }
    case 'dns':
      return { type: 'dns', host: input.host, server: input.server, repetitions: 1, timeoutMs: TIMEOUTS.dns };
    case 'download':
      return { type: 'download', url };
    case 'upload':
      return { type: 'upload', url, size: input.bytes };
    case 'capture':
      return { type: 'capture', ...access, interface: '', filter: '', seconds: input.seconds, size: input.bytes };
    case 'log':
      return { type: 'logUpload', file: log, ...access };
  }
}

/** The operation of each tool, for the question whether a router has it. */
export const operationOf = {
  ping: 'ping',
  traceroute: 'traceroute',
  dns: 'dns',
  download: 'download',
  upload: 'upload',
  capture: 'capture',
  log: 'logUpload',
} as const satisfies Readonly<Record<tools.ToolKind, RouterDiagnostic['type']>>;

/** Milliseconds after which a run without a reported end has failed. */
export function longestRun(input: tools.ToolInput): number {
  switch (input.tool) {
    case 'ping':
      return input.count * TIMEOUTS.ping + GRACE_MS;
    case 'traceroute':
      return input.hops * TRIES_OF_HOP * TIMEOUTS.traceroute + GRACE_MS;
    case 'dns':
      return 2 * TIMEOUTS.dns + GRACE_MS;
    case 'capture':
      return input.seconds * 1_000 + TRANSFER_MS + GRACE_MS;
    default:
      return TRANSFER_MS + GRACE_MS;
  }
}
