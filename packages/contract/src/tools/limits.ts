// Without schemas, so that the console has it too.

/** Limits of the arguments of tests that routers run. */
export const TOOL_LIMITS = {
  pings: { least: 1, most: 20 },
  /** Payload of a ping, bytes. */
  pingBytes: { least: 1, most: 1_400 },
  hops: { least: 1, most: 30 },
  seconds: { least: 1, most: 60 },
  /** Of a capture file. */
  captureBytes: { least: 10_000, most: 10_000_000 },
} as const;

/** How often an alert rule can run a test, minutes. */
export const TEST_MINUTES = [15, 60, 360, 1_440] as const;

/** Whether a text is a host name or an address: no spaces, nothing that a program could read as an option. */
export function isHost(text: string): boolean {
  return /^[\p{L}\p{N}_:][\p{L}\p{N}_.:%-]*$/u.test(text);
}
