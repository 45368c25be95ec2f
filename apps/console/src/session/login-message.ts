/** The messages the sign-in page in the frame may post (AUTH-03, AUTH-04). */
export type FrameMessage =
  | { readonly type: 'login'; readonly id: string; readonly vap: string }
  | { readonly type: 'invalid-account' };

/** The parts of a message event that decide whether it is accepted. */
export interface FrameEvent {
  readonly origin: string;
  readonly source: unknown;
  readonly data: unknown;
}

/**
 * The message of our own frame, or undefined. Any page may post to any window, so a message counts only when it comes
 * from the frame's origin AND from the frame's window (AUTH-03).
 */
export function readFrameMessage(event: FrameEvent, frameOrigin: string, frameWindow: unknown): FrameMessage | undefined {
  if (event.origin !== frameOrigin || frameWindow === null || event.source !== frameWindow) return undefined;
  if (typeof event.data !== 'object' || event.data === null) return undefined;
  const { type, id, vap } = event.data as Readonly<Record<string, unknown>>;
  if (type === 'invalid-account') return { type };
  return type === 'login' && typeof id === 'string' && typeof vap === 'string' ? { type, id, vap } : undefined;
}
