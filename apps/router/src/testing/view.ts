import type { UspBody, UspRequest } from '@highline/usp';
import type { ObjectDef, RouterView } from '../model/definition.ts';
import type { RowStore } from '../model/transaction.ts';
import { type Model, createModel } from '../model/model.ts';
import { respondToRequest } from '../model/requests.ts';
import { routerObjects } from '../model/tree.ts';
import { createAlarms } from '../platform/alarms.ts';
import { type ManualScheduler, createManualScheduler } from '../platform/scheduler.ts';
import { createTrailCursor } from '../platform/trail-cursor.ts';
import { createSimulatedPlatform } from '../platform/simulated.ts';
import type { RemoteControl } from '../remote/remote-control.ts';
import { type RouterState, factoryState } from '../state/state.ts';

/** A router without power or network: its model and its state, for tests of its responses. */
export type BareRouter = {
  model: Model;
  view: RouterView;
  rowStore: RowStore;
  scheduler: ManualScheduler;
  /** Effects requested by commands, in order. */
  effects: string[];
  /** Makes every later save fail. */
  failSaves(): void;
  request(request: UspRequest): UspBody;
};

const MODEM = {
  imei: '012345000000039',
  imsi: '999700000000003',
  iccid: '89999990000000000033',
  msisdn: '12015550103',
  eid: '89049099990000000000000000000520',
  carrier: 'Testnet',
  apn: 'internet',
};

/** @param extra objects in addition to the default ones */
export function createBareRouter(extra: readonly ObjectDef[] = []): BareRouter {
  const scheduler = createManualScheduler();
  const model = createModel([...routerObjects, ...extra]);
  const effects: string[] = [];
  let state: RouterState = factoryState({ firmware: '2.1.0', config: { name: 'city.json', version: '3', description: '' } });
  let failing = false;
  const platform = createSimulatedPlatform({ seed: 7, scheduler, modem: MODEM });
  const view: RouterView = {
    identity: { serial: 'HL-0001', mac: '00B2D0000001', model: 'HL-500', hardwareVersion: 'A1', friendlyName: 'Bus 12' },
    platform,
    alarms: createAlarms(platform),
    endpointId: 'os::00B2D0-HL-0001',
    controllerId: 'self::highline',
    uptimeSeconds: () => 17,
    trail: createTrailCursor(scheduler),
    installed: () => state.installed,
    firstUse: () => undefined,
    updates: () => state,
    esims: () => state.esims,
    updatePercent: () => 0,
    checksSignatures: false,
    remote: () => ({ port: undefined, sessions: 0 }),
    forwards: () => true,
    row: (path) => state.rows[path],
    rowPaths: () => Object.keys(state.rows),
  };
  const rowStore: RowStore = {
    rows: () => state.rows,
    nextInstance: () => state.nextInstance,
    save(rows, nextInstance) {
      if (failing) throw new Error('no space left on device');
      state = { ...state, rows, nextInstance };
    },
  };
  const control = {
    reboot: (key: string) => effects.push(`reboot ${key}`),
    factoryReset: (key: string) => effects.push(`factory-reset ${key}`),
    update(job: { commandKey: string }) {
      effects.push(`update ${job.commandKey}`);
      return { type: 'req_obj_path', value: 'Device.LocalAgent.Request.1.' } as const;
    },
    esim(job: { kind: string; commandKey: string }) {
      effects.push(`esim ${job.kind} ${job.commandKey}`);
      return { type: 'req_obj_path', value: 'Device.LocalAgent.Request.1.' } as const;
    },
    restartModem: () => effects.push('restart-modem'),
    collect: (path: string) => effects.push(`collect ${path}`),
    remote: createNoRemote(effects),
    diagnostics: { signal: new AbortController().signal, observe: () => () => undefined, logEntries: () => [] },
    resetPassword: () => effects.push('reset-password'),
  };
  const running = {
    begin({ name }: { name: string }) {
      effects.push(`begin ${name}`);
      return 'Device.LocalAgent.Request.1.';
    },
    end: (_path: string, outcome: object) => effects.push(`end ${JSON.stringify(outcome)}`),
  };
  const context = { model, router: view, rowStore, control, running, changed: () => undefined };
  return {
    model,
    view,
    rowStore,
    scheduler,
    effects,
    failSaves() {
      failing = true;
    },
    request: (request) => respondToRequest(context, request),
  };
}

/** Accepts every command, and only records it. */
function createNoRemote(effects: string[]): RemoteControl {
  const did = (what: string) => {
    effects.push(what);
    return undefined;
  };
  return {
    open: ({ user, service }) => did(`open ${user} ${typeof service === 'string' ? service : JSON.stringify(service)}`),
    close: (user) => did(`close ${user}`),
    grant: (user, { username, seconds }) => did(`grant ${user} ${username} ${seconds}`),
    revoke: (user) => did(`revoke ${user}`),
  };
}

/** A Get answer flattened: full parameter path → value; failed paths as 'path' → error code. */
export function valuesOf(body: UspBody): { [path: string]: string | number } {
  if (body.type !== 'get_resp') throw new Error(`not a Get answer: ${JSON.stringify(body)}`);
  const entries: [string, string | number][] = [];
  for (const { requestedPath, errCode, resolvedPathResults } of body.reqPathResults) {
    if (errCode !== 0) entries.push([requestedPath, errCode]);
    for (const { resolvedPath, resultParams } of resolvedPathResults) {
      for (const [name, value] of resultParams) entries.push([resolvedPath + name, value]);
    }
  }
  return Object.fromEntries(entries);
}
