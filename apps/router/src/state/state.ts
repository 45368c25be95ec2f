import { z } from 'zod';

/** Why the router started, as Device.Boot! says it (TR-181 Device.Boot!). */
export const bootCauses = ['LocalReboot', 'RemoteReboot', 'LocalFactoryReset', 'RemoteFactoryReset'] as const;

const counter = z.int().nonnegative();

/**
 * What a router keeps over power cuts, version 1. A later version is a new schema beside this one and a step in `parseState`;
 * stored documents are never edited in place.
 */
const stateV1 = z.strictObject({
  version: z.literal(1),
  bootCount: counter,
  /** Epoch milliseconds of the first start by the router's own clock; null before it. */
  firstUse: z.number().nullable(),
  /** What the next Boot! has to say. Cleared when the controller has taken that Boot!, so that a crash in between loses nothing. */
  boot: z.strictObject({ cause: z.enum(bootCauses), commandKey: z.string(), firmwareUpdated: z.boolean() }),
  /** What runs on the router. It outlives a factory reset, except for the config file. */
  installed: z.strictObject({
    firmware: z.string(),
    config: z.strictObject({ name: z.string(), version: z.string(), description: z.string() }).nullable(),
  }),
  /** Values of writable objects: instance path → parameter → value. */
  rows: z.record(z.string(), z.record(z.string(), z.string())),
  /** Table path → number of its next instance; numbers are not used twice (TR-369 "Instance Numbers"). */
  nextInstance: z.record(z.string(), counter),
});

export type RouterState = z.infer<typeof stateV1>;
export type Installed = RouterState['installed'];
export type Row = Readonly<Record<string, string>>;

/** A router as it leaves the factory with `installed` on it. */
export function factoryState(installed: Installed): RouterState {
  return {
    version: 1,
    bootCount: 0,
    firstUse: null,
    boot: { cause: 'LocalReboot', commandKey: '', firmwareUpdated: false },
    installed,
    rows: {},
    nextInstance: {},
  };
}

/** Reads a stored document. @throws Error naming what is wrong, when it is no state of a known version */
export function parseState(text: string): RouterState {
  const parsed = stateV1.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}
