import { z } from 'zod';

/** Why the router started, as in Device.Boot! (TR-181 Device.Boot!). */
export const bootCauses = ['LocalReboot', 'RemoteReboot', 'LocalFactoryReset', 'RemoteFactoryReset'] as const;

const counter = z.int().nonnegative();

const configV1 = z.strictObject({ name: z.string(), version: z.string(), description: z.string() });

/**
 * State kept over power cuts, version 1. A later version is a new schema and a step in `parseState`; stored documents are never
 * edited in place.
 */
const stateV1 = z.strictObject({
  version: z.literal(1),
  bootCount: counter,
  /** Epoch milliseconds of the first start by the router's own clock; null before it. */
  firstUse: z.number().nullable(),
  /**
   * Content of the next Boot!. Cleared when the controller has acknowledged that Boot!, so that a crash in between loses nothing.
   */
  boot: z.strictObject({ cause: z.enum(bootCauses), commandKey: z.string(), firmwareUpdated: z.boolean() }),
  /** Installed software. It outlives a factory reset, except for the config file. */
  installed: z.strictObject({ firmware: z.string(), config: configV1.nullable() }),
  /** Values of writable objects: instance path → parameter → value. */
  rows: z.record(z.string(), z.record(z.string(), z.string())),
  /** Table path → number of its next instance; numbers are never reused (TR-369 "Instance Numbers"). */
  nextInstance: z.record(z.string(), counter),
});

/** A config file with its text. */
const config = configV1.extend({ text: z.string() });

/** Contents of a firmware slot; 'Active' is not stored, it is the running slot (TR-181 FirmwareImage.{i}.Status). */
const slot = z.strictObject({
  version: z.string(),
  status: z.enum(['NoImage', 'Available', 'DownloadFailed', 'ValidationFailed', 'InstallationFailed', 'ActivationFailed']),
  /** Fault of simulated firmware; '' = good. */
  fault: z.enum(['', 'never-connects', 'crashes']),
  /** The oldest version that may follow this image, as its signed manifest says. */
  oldest: z.string().optional(),
});
const slotNumber = z.union([z.literal(1), z.literal(2)]);

/** A command that outlives power cuts: its request and its progress. */
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
  /** Consecutive attempts without a byte. */
  idleTries: counter,
  /** It is downloaded once more, because the file was not the announced one. */
  isRepeated: z.boolean().optional(),
  /** Epoch milliseconds by the router's own clock. */
  startedAt: z.number(),
});

/** Software on trial: it has to call home, or the previous one is restored. */
const trial = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('firmware'), previous: slotNumber, boots: counter }),
  z.strictObject({
    kind: z.literal('config'),
    previous: config.nullable(),
    boots: counter,
    /** Former settings, where a backup replaced them; absent = it had none. */
    rows: stateV1.shape.rows.optional(),
  }),
]);

/** The end of a command; kept until the controller has acknowledged it, and a while longer for a controller that asks again. */
const end = z.strictObject({
  objPath: z.string(),
  command: z.string(),
  commandKey: z.string(),
  /** Failure message; null = success. */
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
  /** `oldest`: of all images that have run. */
  flash: z.strictObject({ active: slotNumber, slots: z.tuple([slot, slot]), oldest: z.string().optional() }),
  job: job.nullable(),
  trial: trial.nullable(),
  ended: z.array(end).max(8),
});

/** A profile on the eUICC, except the preloaded one, which the hardware itself knows. */
const chipProfile = z.strictObject({
  iccid: z.string(),
  imsi: z.string(),
  msisdn: z.string(),
  carrier: z.string(),
  /** Whether a network accepts it. */
  connects: z.boolean(),
});

/** The memory of the simulated eUICC; a real one keeps this itself. */
const chip = z.strictObject({
  /** ICCID of the current profile; empty = the preloaded one. */
  enabled: z.string(),
  profiles: z.array(chipProfile).max(3),
});

/** Common fields of eSIM commands that outlive power cuts. */
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
  /** 'preload' sets up the preloaded profile. */
  activationCode: z.string(),
  confirmationCode: z.string(),
  /** The required ICCID; empty = any. */
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
  /** The profile to enable or delete. */
  iccid: z.string(),
  /** 'trial': `trying` is in use and has to call home; 'return': the previous one is being restored. */
  stage: z.enum(['accepted', 'trial', 'return']),
  /** The profile used before. */
  previous: z.string(),
  trying: z.string(),
  /** Profiles to try after it, in this order. */
  untried: z.array(z.string()),
  /** Starts since `trying` is in use. */
  boots: counter,
});

const esimEnd = esimCommand.omit({ requestPath: true }).extend({
  /** Failure message; null = success. */
  failure: z.string().nullable(),
  outputs: z.record(z.string(), z.string()),
  delivered: z.boolean(),
});

const esims = z.strictObject({
  job: z.discriminatedUnion('kind', [downloadJob, switchJob]).nullable(),
  ended: z.array(esimEnd).max(8),
  /**
   * This profile is deleted, which disconnects the router, once the controller has acknowledged the end of that command; null =
   * none.
   */
  farewell: z.strictObject({ commandKey: z.string(), iccid: z.string() }).nullable(),
  /** The last APN that reached the cloud, with its profile; null = not recorded yet. */
  proven: z.strictObject({ iccid: z.string(), apn: z.string() }).nullable().default(null),
});

/**
 * Where the configured server redirected to; absent = it serves this router itself, and the software of the version before, to which a
 * failed update returns, can read the state.
 */
const cell = z.strictObject({ home: z.string(), origin: z.string() });

/** Rows that can cut the router off, as they were before the present ones, which are on trial; absent = none are. */
const settingsTrial = stateV1.shape.rows;

const stateV3 = stateV2.extend({
  version: z.literal(3),
  chip,
  esims,
  cell: cell.optional(),
  settingsTrial: settingsTrial.optional(),
});

export type RouterState = z.infer<typeof stateV3>;
export type ChipProfile = z.infer<typeof chipProfile>;
export type ChipMemory = z.infer<typeof chip>;
export type EsimState = z.infer<typeof esims>;
export type DownloadJob = z.infer<typeof downloadJob>;
export type SwitchJob = z.infer<typeof switchJob>;
export type EsimEnd = z.infer<typeof esimEnd>;
/** eSIM jobs as requested by a command. */
export type DownloadRequest = Omit<DownloadJob, 'requestPath' | 'stage'>;
export type SwitchRequest = Pick<SwitchJob, 'kind' | 'objPath' | 'command' | 'commandKey' | 'iccid'>;
export type EsimJobRequest = DownloadRequest | SwitchRequest;
export type Installed = RouterState['installed'];
export type SlotNumber = z.infer<typeof slotNumber>;
export type Slot = z.infer<typeof slot>;
export type Job = z.infer<typeof job>;
/** A job as requested by a command. */
export type JobRequest = Omit<Job, 'requestPath' | 'stage' | 'idleTries' | 'isRepeated' | 'startedAt'>;
export type JobEnd = z.infer<typeof end>;
export type ConfigFile = z.infer<typeof config>;
export type Row = Readonly<Record<string, string>>;

/** State of a new router with `installed` on it. */
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

/** Parse a stored document. @throws Error naming the fault, when it is not a state of a known version */
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

/** Upgrade a state without profiles: it uses the preloaded one. */
function withEsims(state: z.infer<typeof stateV2>): RouterState {
  return {
    ...state,
    version: 3,
    chip: { enabled: '', profiles: [] },
    esims: { job: null, ended: [], farewell: null, proven: null },
  };
}

/** Upgrade a state without updates: the running firmware is in the first slot. */
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
