import type { IndependentValue } from './codec.ts';

/** Events of an agent. */
export type AgentEvent =
  | { readonly event: 'booted'; readonly cause: string; readonly firmware: string }
  | { readonly event: 'connected' }
  | { readonly event: 'disconnected'; readonly reason: string }
  | { readonly event: 'request'; readonly name: string; readonly value: IndependentValue }
  /** A second request came before the first was answered. */
  | { readonly event: 'overlap'; readonly name: string }
  | { readonly event: 'rejected'; readonly name: string; readonly errors: readonly IndependentValue[] }
  | { readonly event: 'command'; readonly command: string; readonly args: Readonly<Record<string, string>> }
  /** A transfer has stalled, as configured in the traits. */
  | { readonly event: 'stalled'; readonly bytes: number };
