import { z } from 'zod';

/** Why the router started, as Device.Boot! says it (TR-181 Device.Boot!). */
export const bootCauses = ['LocalReboot', 'RemoteReboot', 'LocalFactoryReset', 'RemoteFactoryReset'] as const;

const counter = z.int().nonnegative();

const configV1 = z.strictObject({ name: z.string(), version: z.string(), description: z.string() });

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
  installed: z.strictObject({ firmware: z.string(), config: configV1.nullable() }),
  /** Values of writable objects: instance path → parameter → value. */
  rows: z.record(z.string(), z.record(z.string(), z.string())),
  /** Table path → number of its next instance; numbers are not used twice (TR-369 "Instance Numbers"). */
  nextInstance: z.record(z.string(), counter),
});

/** A config file with its text. */
const config = configV1.extend({ text: z.string() });

/** What lies in a firmware slot; 'Active' is not stored, it is whichever slot runs (TR-181 FirmwareImage.{i}.Status). */
const slot = z.strictObject({
  version: z.string(),
  status: z.enum(['NoImage', 'Available', 'DownloadFailed', 'ValidationFailed', 'InstallationFailed', 'ActivationFailed']),
  /** Simulated firmware that is bad in a certain way; '' = good. */
  fault: z.enum(['', 'never-connects', 'crashes']),
});
const slotNumber = z.union([z.literal(1), z.literal(2)]);

/** A command that outlives power cuts: what was asked for, and how far it is. */
const job = z.strictObject({
  kind: z.enum(['firmware', 'config', 'activate']),
  /** Of the command, e.g. 'Device.DeviceInfo.FirmwareImage.2.' */
  objPath: z.string(),
  command: z.string(),
  commandKey: z.string(),
  /** Row in Device.LocalAgent.Request. while it runs. */
  requestPath: z.string(),
  /** Firmware only. */
  slot: slotNumber,
  autoActivate: z.boolean(),
  /** Config only: the name it gets. */
  fileName: z.string(),
  url: z.string(),
  username: z.string(),
  password: z.string(),
  /** Bytes. */
  size: counter,
  /** Lower-case hex. */
  sha256: z.string(),
  stage: z.enum(['accepted', 'download', 'verify', 'trial']),
  /** Tries in a row that brought no byte. */
  idleTries: counter,
  /** Epoch milliseconds by the router's own clock. */
  startedAt: z.number(),
});

/** What runs on trial: it has to call home, or what ran before comes back. */
const trial = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('firmware'), previous: slotNumber, boots: counter }),
  z.strictObject({ kind: z.literal('config'), previous: config.nullable(), boots: counter }),
]);

/** The end of a command; kept until the controller has taken it, and a while longer for a controller that asks again. */
const end = z.strictObject({
  objPath: z.string(),
  command: z.string(),
  commandKey: z.string(),
  /** What went wrong; null = done. */
  failure: z.string().nullable(),
  url: z.string(),
  /** Epoch milliseconds by the router's own clock. */
  startedAt: z.number(),
  endedAt: z.number(),
  delivered: z.boolean(),
});

const stateV2 = stateV1.extend({
  version: z.literal(2),
  installed: z.strictObject({ firmware: z.string(), config: config.nullable() }),
  flash: z.strictObject({ active: slotNumber, slots: z.tuple([slot, slot]) }),
  job: job.nullable(),
  trial: trial.nullable(),
  ended: z.array(end).max(8),
});

/** A profile that lies on the eUICC, beside the one from the factory, which the hardware itself knows. */
const chipProfile = z.strictObject({
  iccid: z.string(),
  imsi: z.string(),
  msisdn: z.string(),
  carrier: z.string(),
  /** Does a network take it? */
  connects: z.boolean(),
});

/** The memory of the simulated eUICC; a real one keeps this itself. */
const chip = z.strictObject({
  /** ICCID of the profile in use; empty = the one from the factory. */
  enabled: z.string(),
  profiles: z.array(chipProfile).max(3),
});

/** What every eSIM command that outlives power cuts has. */
const esimCommand = z.strictObject({
  /** Of the command, e.g. 'Device.TrustedElements.SIM.1.' */
  objPath: z.string(),
  command: z.string(),
  commandKey: z.string(),
  /** Row in Device.LocalAgent.Request. while it runs. */
  requestPath: z.string(),
});

const downloadJob = esimCommand.extend({
  kind: z.literal('download'),
  /** 'preload' sets up the profile from the factory. */
  activationCode: z.string(),
  confirmationCode: z.string(),
  /** What the profile's ICCID must be; empty = whatever comes. */
  iccid: z.string(),
  name: z.string(),
  apn: z.string(),
  apn2: z.string(),
  /** Empty = after the others. */
  priority: z.string(),
  stage: z.enum(['download', 'install']),
});

const switchJob = esimCommand.extend({
  kind: z.enum(['enable', 'delete']),
  /** The profile that is to be used, or to go. */
  iccid: z.string(),
  /** 'trial': `trying` is in use and has to call home; 'return': what was in use before comes back. */
  stage: z.enum(['accepted', 'trial', 'return']),
  /** In use before. */
  previous: z.string(),
  trying: z.string(),
  /** To be tried after it, in this order. */
  untried: z.array(z.string()),
  /** Starts since `trying` came into use. */
  boots: counter,
});

const esimEnd = esimCommand.omit({ requestPath: true }).extend({
  /** What went wrong; null = done. */
  failure: z.string().nullable(),
  outputs: z.record(z.string(), z.string()),
  delivered: z.boolean(),
});

const esims = z.strictObject({
  job: z.discriminatedUnion('kind', [downloadJob, switchJob]).nullable(),
  ended: z.array(esimEnd).max(8),
  /** This profile is deleted, and the router goes dark, once the controller has taken the end of that command; null = none. */
  farewell: z.strictObject({ commandKey: z.string(), iccid: z.string() }).nullable(),
  /** The access point over which the cloud was last reached, and of which profile; null = not reached since this is kept. */
  proven: z.strictObject({ iccid: z.string(), apn: z.string() }).nullable().default(null),
});

const stateV3 = stateV2.extend({ version: z.literal(3), chip, esims });

export type RouterState = z.infer<typeof stateV3>;
export type ChipProfile = z.infer<typeof chipProfile>;
export type ChipMemory = z.infer<typeof chip>;
export type EsimState = z.infer<typeof esims>;
export type DownloadJob = z.infer<typeof downloadJob>;
export type SwitchJob = z.infer<typeof switchJob>;
export type EsimJob = DownloadJob | SwitchJob;
export type EsimEnd = z.infer<typeof esimEnd>;
/** eSIM jobs as a command asks for them. */
export type DownloadRequest = Omit<DownloadJob, 'requestPath' | 'stage'>;
export type SwitchRequest = Pick<SwitchJob, 'kind' | 'objPath' | 'command' | 'commandKey' | 'iccid'>;
export type EsimJobRequest = DownloadRequest | SwitchRequest;
export type Installed = RouterState['installed'];
export type SlotNumber = z.infer<typeof slotNumber>;
export type Slot = z.infer<typeof slot>;
export type Job = z.infer<typeof job>;
/** A job as a command asks for it. */
export type JobRequest = Omit<Job, 'requestPath' | 'stage' | 'idleTries' | 'startedAt'>;
export type JobEnd = z.infer<typeof end>;
export type ConfigFile = z.infer<typeof config>;
export type Row = Readonly<Record<string, string>>;

/** A router as it leaves the factory with `installed` on it. */
export function factoryState(installed: { firmware: string; config: z.infer<typeof configV1> | null }): RouterState {
  return upgraded({
    version: 1,
    bootCount: 0,
    firstUse: null,
    boot: { cause: 'LocalReboot', commandKey: '', firmwareUpdated: false },
    installed,
    rows: {},
    nextInstance: {},
  });
}

/** Reads a stored document. @throws Error naming what is wrong, when it is no state of a known version */
export function parseState(text: string): RouterState {
  const document: unknown = JSON.parse(text);
  const first = stateV1.safeParse(document);
  if (first.success) return upgraded(first.data);
  const second = stateV2.safeParse(document);
  if (second.success) return withEsims(second.data);
  const parsed = stateV3.safeParse(document);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  return parsed.data;
}

/** A router of before profiles were known: it uses the one from the factory. */
function withEsims(state: z.infer<typeof stateV2>): RouterState {
  return {
    ...state,
    version: 3,
    chip: { enabled: '', profiles: [] },
    esims: { job: null, ended: [], farewell: null, proven: null },
  };
}

/** A router of before updates were known: what ran lies in the first slot. */
function upgraded(state: z.infer<typeof stateV1>): RouterState {
  const { firmware, config: file } = state.installed;
  return withEsims({
    ...state,
    version: 2,
    installed: { firmware, config: file === null ? null : { ...file, text: '' } },
    flash: {
      active: 1,
      slots: [
        { version: firmware, status: 'Available', fault: '' },
        { version: '', status: 'NoImage', fault: '' },
      ],
    },
    job: null,
    trial: null,
    ended: [],
  });
}
