import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { rollouts } from '@highline/contract';
import { makeMac } from '@highline/usp';
import { addDemoRouters, formOf, send, signInToDemo } from '@highline/testkit/calls';
import { demoSigningKey } from '@highline/testkit/demo';
import { imageOf } from '@highline/testkit/images';
import { type ServerProcess, startServerProcess, until } from '@highline/testkit/server';

const ROUTER = fileURLToPath(new URL('../../apps/router/src/cli.ts', import.meta.url));
const MODEL = 'HL-SOAK';
export const ROUTERS = 3;
/** Time for three starts without calling home and the return, on a busy machine. */
const TIMEOUT_MS = 240_000;

export type Kind = rollouts.BindingKind;

/** A server process with its own PostgreSQL, and routers in separate processes, all with real files. */
export interface SoakSetup {
  readonly server: ServerProcess;
  /** Restart a router so that it is killed, like in a power cut, before its n-th write from then on, and restarts. */
  scheduleKill(router: number, write: number): Promise<void>;
  /** Bind something new to the group. @returns what a router reports once it has it */
  bind(kind: Kind): Promise<string>;
  rollout(kind: Kind): Promise<rollouts.Rollout>;
  /** Whether a router was killed since `scheduleKill` was called. */
  wasKilled(router: number): boolean;
  /** Wait until no target of a rollout is in progress. */
  finished(kind: Kind): Promise<rollouts.RolloutTarget[]>;
  /** Retry exactly the failed routers. */
  retry(kind: Kind): Promise<void>;
  /** 'x/y' of the group's list. */
  updateStatus(): Promise<string>;
  close(): Promise<void>;
}

interface Running {
  readonly serial: string;
  readonly file: string;
  child: ChildProcess | undefined;
  killed: boolean;
}

export async function openSoakSetup(): Promise<SoakSetup> {
  const folder = await mkdtemp(join(tmpdir(), 'highline-soak-'));
  const server = await startServerProcess(join(folder, 'server'), 4, []);
  const api = createApi(server.url);
  const { vap: main } = await signInToDemo(server.url, 'main');
  const { vap: admin } = await signInToDemo(server.url, 'admin');
  const signer = demoSigningKey(join(folder, 'server'));
  const keys = join(folder, 'keys.pem');
  await writeFile(keys, signer.publicKey.export({ type: 'spki', format: 'pem' }));
  const routers = await enterRouters(folder, server.url, main, admin);
  const devices = routers.map(({ serial }) => serial);
  const { group } = await api.ask<{ group: string }>('POST', '/data_manager/v1/dm/group', admin, { name: 'Soak', devices });
  let closing = false;
  let counter = 0;

  const start = (running: Running, write?: number) => {
    const stopping = write === undefined ? [] : ['--kill-at-write', String(write)];
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', ...argumentsOf(running, server, keys), ...stopping],
      {
        stdio: ['pipe', 'ignore', 'inherit'],
      },
    );
    running.child = child;
    child.once('exit', (_code, signal) => {
      if (running.child !== child || closing) return;
      running.killed ||= signal === 'SIGKILL';
      start(running);
    });
  };
  const stop = (running: Running) =>
    new Promise<void>((resolve) => {
      const { child } = running;
      running.child = undefined;
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  for (const running of routers) start(running);

  const rollout = async (kind: Kind) => {
    const all = await api.ask<rollouts.Rollout[]>('GET', `/data_manager/v1/binding/group/rollouts?group=${group}`, admin);
    const found = all.find((one) => one.kind === kind);
    if (found === undefined) throw new Error(`no rollout of ${kind}`);
    return found;
  };
  return {
    server,
    rollout,
    async scheduleKill(router, write) {
      const running = routers[router]!;
      await stop(running);
      running.killed = false;
      start(running, write);
    },
    wasKilled: (router) => routers[router]!.killed,
    async bind(kind) {
      counter += 1;
      const label = kind === 'firmware' ? `1.0.${counter}` : `soak-${counter}.cfg`;
      const pk = await upload(api, kind, label, kind === 'firmware' ? main : admin, signer);
      await api.ask('POST', `/data_manager/v1/binding/group/${kind}`, admin, { group, [kind]: pk, schedule: 'immediate' });
      return label;
    },
    async finished(kind) {
      const done = ['successful', 'failed', 'rolled-back', 'unsupported'] as const;
      await until(async () => {
        const { states, total } = await rollout(kind);
        return done.reduce((sum, state) => sum + states[state], 0) === total;
      }, TIMEOUT_MS);
      const { id } = await rollout(kind);
      return api.ask<rollouts.RolloutTarget[]>('GET', `/data_manager/v1/binding/group/targets?limit=50&rollout=${id}`, admin);
    },
    async retry(kind) {
      const { id } = await rollout(kind);
      await api.ask('POST', '/data_manager/v1/binding/group/rollout', admin, { rollout: id, action: 'retry' });
    },
    async updateStatus() {
      const { successful, deviceCount } = await api.ask<{ successful: number; deviceCount: number }>(
        'GET',
        `/data_manager/v1/dm/group/${group}`,
        admin,
      );
      return `${successful}/${deviceCount}`;
    },
    async close() {
      closing = true;
      await Promise.all(routers.map(stop));
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function argumentsOf({ file }: Running, { port }: ServerProcess, keys: string): string[] {
  const own = ['--file', file, '--state-dir', `${file}.state`, '--trusted-keys', keys, '--call-home-seconds', '60'];
  return [ROUTER, 'fleet', '--server', `ws://127.0.0.1:${port}`, '--exit-with-stdin', ...own];
}

async function enterRouters(folder: string, url: string, main: string, admin: string): Promise<Running[]> {
  const inventory = Array.from({ length: ROUTERS }, (_, index) => ({
    serial: `SOAK${index + 1}`,
    mac: makeMac(0xabc000 + index),
  }));
  const { secrets } = await addDemoRouters(url, { main, admin }, inventory);
  return Promise.all(
    inventory.map(async ({ serial, mac }) => {
      const secret = secrets.get(serial)!;
      const file = join(folder, `${serial}.json`);
      await writeFile(file, JSON.stringify([{ serial, mac, secret, model: MODEL, firmware: '1.0.0' }]), { mode: 0o600 });
      return { serial, file, child: undefined, killed: false };
    }),
  );
}

async function upload(
  api: Api,
  kind: Kind,
  label: string,
  bearer: string,
  signer: Parameters<typeof imageOf>[0],
): Promise<string> {
  const image = () => imageOf(signer, { model: MODEL, version: label, payload: randomBytes(300_000) });
  const form =
    kind === 'firmware'
      ? formOf({ version: label, profile: MODEL }, { name: `${label}.img`, contents: image() })
      : formOf({}, { field: 'config', name: label, contents: `# ${randomBytes(8).toString('hex')}\napn = fleet\n` });
  return (await api.ask<{ pk: string }>('POST', `/data_manager/v1/dm/${kind}`, bearer, form)).pk;
}

interface Api {
  ask<T>(method: string, path: string, bearer: string, body?: unknown): Promise<T>;
}

/** Calls to a server that may be down temporarily: repeated until it answers, but not after a rejection. */
function createApi(url: string): Api {
  return {
    async ask<T>(method: string, path: string, bearer: string, body?: unknown): Promise<T> {
      let responded: Awaited<ReturnType<typeof send>> | undefined;
      await until(async () => {
        const response = await send(`${url}${path}`, { method, bearer, body });
        if (response.status !== 503) responded = response;
        return responded !== undefined;
      });
      const { status, text, json } = responded!;
      if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
      return json<{ result: T }>().result;
    },
  };
}
