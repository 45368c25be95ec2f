import { formOf } from '@highline/testkit/calls';
import { openConsole, type Console, repeat } from './consoles.ts';

/** What users and machines do meanwhile, and what was acknowledged of it. */
export interface Work {
  /** Notes by device. */
  readonly notes: ReadonlyMap<string, Written>;
  /** Epoch milliseconds of their acknowledgement, by group. */
  readonly groups: ReadonlyMap<string, number>;
  /** Whether the invitation was acknowledged, by address. */
  readonly invited: ReadonlyMap<string, boolean>;
  /** By serial number. */
  readonly commands: ReadonlyMap<string, CommandCount>;
  readonly imported: readonly string[];
  /** Devices that were moved together: whether they are in their group. */
  readonly moved: Written;
  readonly consoles: readonly Console[];
  /** Calls by their result, and remote sessions that were opened. */
  readonly counts: { acknowledged: number; failed: number; sessions: number };
  /** Begin nothing more; consoles stay open. */
  stop(): Promise<void>;
  closeConsoles(): void;
}

/** The value that was acknowledged last. Those without an acknowledgement may be stored at any time, also after it. */
export interface Written {
  acknowledged: string | null;
  readonly others: Set<string>;
}

export interface CommandCount {
  sent: number;
  done: number;
}

export interface WorkInput {
  readonly url: string;
  readonly main: string;
  readonly admin: string;
  readonly organization: string;
  /** Id and serial number of connected devices. */
  readonly devices: readonly { readonly id: string; readonly serial: string }[];
  /** Devices without a router that connects, and their group. */
  readonly spare: readonly string[];
  readonly spareGroup: string;
  readonly command: string;
}

const TIMEOUT_MS = 20_000;
const CONSOLES = 3;
const IMPORTED_EACH = 50;

/** Numbers what is written, over all rounds. */
let number = 0;

/** Open the consoles, and then begin to work. */
export async function startWork(input: WorkInput): Promise<Work> {
  const { url, main, admin, organization, devices, spare, spareGroup, command } = input;
  const counts = { acknowledged: 0, failed: 0, sessions: 0 };
  const notes = new Map<string, Written>();
  const groups = new Map<string, number>();
  const invited = new Map<string, boolean>();
  const commands = new Map<string, CommandCount>();
  const imported: string[] = [];
  const moved: Written = { acknowledged: null, others: new Set() };
  const [stopping, closing] = [new AbortController(), new AbortController()];

  const call = createCaller(url, admin, counts);
  const any = () => devices[number++ % devices.length]!;

  const write = async (written: Written, value: string, send: () => Promise<unknown>) => {
    if ((await send()) === undefined) written.others.add(value);
    else written.acknowledged = value;
  };
  const jobs: readonly (readonly [everyMs: number, job: () => Promise<void>])[] = [
    [
      150,
      async () => {
        const { id } = any();
        const value = `note ${++number}`;
        const written = notes.get(id) ?? { acknowledged: null, others: new Set() };
        notes.set(id, written);
        await write(written, value, () => call('PATCH', '/data_manager/v1/dm/device', { device: id, note: value }));
      },
    ],
    [
      1_000,
      async () => {
        const response = (await call('POST', '/data_manager/v1/dm/group', { name: `Storm ${++number}` })) as Keyed | undefined;
        if (response !== undefined) groups.set(response.result.group, Date.now());
      },
    ],
    [
      2_000,
      async () => {
        const email = `storm-${++number}@highline.invalid`;
        invited.set(email, false);
        const role = `r.${organization}.vendor`;
        const response = await call('POST', '/dmp_aa/api/v1/vendorAccounts/', { email, name: 'Storm', role, org: organization });
        if (response !== undefined) invited.set(email, true);
      },
    ],
    [
      300,
      async () => {
        const { id, serial } = any();
        const count = commands.get(serial) ?? { sent: 0, done: 0 };
        commands.set(serial, count);
        count.sent++;
        const response = (await call('POST', `/data_manager/v1/dm/commands/${command}/run`, { device: id })) as Ran | undefined;
        if (response?.result.outcome === 'done') count.done++;
      },
    ],
    [
      2_000,
      async () => {
        const { id, serial } = any();
        const target = { serial, type: 'ssh' };
        const response = (await call('POST', '/data_manager/v1/dm/cmds/connectDevice', target)) as Opened | undefined;
        if (response?.statusCode !== 200) return;
        counts.sessions++;
        await call('POST', '/data_manager/v1/dm/device/arctive', { device: id });
      },
    ],
    [
      5_000,
      async () => {
        const first = ++number * IMPORTED_EACH;
        const rows = Array.from({ length: IMPORTED_EACH }, (_, index) => ({
          serial: `IMP${first + index}`,
          mac: (0x00b2e0000000 + first + index).toString(16).padStart(12, '0'),
        }));
        const contents = `SN,MAC\n${rows.map(({ serial, mac }) => `${serial},${mac}`).join('\n')}\n`;
        const response = await call('POST', '/data_manager/v1/dm/inventory/batch', formOf({}, { contents }), main);
        if (response !== undefined) imported.push(...rows.map(({ serial }) => serial));
      },
    ],
    [
      3_000,
      async () => {
        const isIn = moved.acknowledged === 'in';
        await write(moved, isIn ? 'out' : 'in', () =>
          call('PATCH', `/data_manager/v1/dm/group/${encodeURIComponent(spareGroup)}`, isIn ? { remove: spare } : { add: spare }),
        );
      },
    ],
  ];
  const consoles = Array.from({ length: CONSOLES }, () => openConsole(url, admin, closing.signal));
  await Promise.all(consoles.map(({ opened }) => opened));
  const running = jobs.map(([everyMs, job]) => repeat(everyMs, job, stopping.signal));
  return {
    notes,
    groups,
    invited,
    commands,
    imported,
    moved,
    consoles,
    counts,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
    closeConsoles: () => closing.abort(),
  };
}

/** Calls that are counted. They return the JSON of the response; undefined when it was not acknowledged. */
function createCaller(url: string, admin: string, counts: { acknowledged: number; failed: number }) {
  return async (method: string, path: string, body: unknown, bearer = admin): Promise<unknown> => {
    const isForm = body instanceof FormData;
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, ...(isForm ? {} : { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const json: unknown = await response.json();
      if (response.ok) counts.acknowledged++;
      else counts.failed++;
      if (!response.ok && process.env['STORM_LOG'] !== undefined)
        console.error(method, path, response.status, JSON.stringify(json));
      return response.ok ? json : undefined;
    } catch {
      counts.failed++;
      return undefined;
    }
  };
}

interface Keyed {
  readonly result: { readonly group: string };
}
interface Ran {
  readonly result: { readonly outcome: string };
}
interface Opened {
  readonly statusCode: number;
}
