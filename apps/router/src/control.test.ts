import type { AddressInfo } from 'node:net';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { control, parseControlLine } from './control.ts';
import { serveControl } from './control-server.ts';
import type { RouterHandle } from './router.ts';

let done: string[];
let routers: Map<string, RouterHandle>;

beforeEach(() => {
  done = [];
  routers = new Map(['HL-1', 'HL 2'].map((serial) => [serial, override(serial)]));
});

function override(serial: string): RouterHandle {
  const note = (what: string) => (ms: number) => done.push(`${serial} ${what} ${ms}`);
  const faults = {
    powerCut: note('powerCut'),
    lostCoverage: note('lostCoverage'),
    lostNetwork: note('lostNetwork'),
    slowLink: note('slowLink'),
    badFlash: note('badFlash'),
    reboot: () => done.push(`${serial} reboot`),
    changePassword: () => done.push(`${serial} changePassword`),
    factoryReset: () => done.push(`${serial} factoryReset`),
    overrideBattery: (value?: number) => done.push(`${serial} battery ${value}`),
    overrideTemperature: (value?: number) => done.push(`${serial} thermal ${value}`),
  };
  return {
    serial,
    endpointId: `os::00B2D0-${serial}`,
    condition: 'connected',
    uptimeSeconds: 5,
    bootCount: 1,
    ...faults,
  } as unknown as RouterHandle;
}

describe('control commands', () => {
  it.each([
    ['power-cut 5000 HL-1', ['HL-1 powerCut 5000']],
    ['  slow-link   0   HL 2 ', ['HL 2 slowLink 0']],
    ['lost-coverage 10', ['HL-1 lostCoverage 10', 'HL 2 lostCoverage 10']],
    ['lost-network 80 HL-1', ['HL-1 lostNetwork 80']],
    ['bad-flash 70 HL-1', ['HL-1 badFlash 70']],
    ['reboot HL-1', ['HL-1 reboot']],
    ['battery 12 HL-1', ['HL-1 battery 12']],
    ['thermal normal HL 2', ['HL 2 thermal undefined']],
    ['change-password HL-1', ['HL-1 changePassword']],
    ['factory-reset HL 2', ['HL 2 factoryReset']],
  ])('%j works', (line, effects) => {
    expect(control(routers, parseControlLine(line)).ok).toBe(true);
    expect(done).toEqual(effects);
  });

  it('NTF-01-partial one router that cannot do it does not keep the others from it', () => {
    Object.assign(routers.get('HL-1')!, {
      changePassword: () => {
        throw new Error('ENOSPC');
      },
    });
    expect(control(routers, parseControlLine('change-password'))).toEqual({ ok: false, error: 'HL-1: ENOSPC' });
    expect(done).toEqual(['HL 2 changePassword']);
  });

  it('status reports the state of each router', () => {
    expect(control(routers, parseControlLine('status HL-1'))).toEqual({
      ok: true,
      result: [{ serial: 'HL-1', endpointId: 'os::00B2D0-HL-1', condition: 'connected', uptimeSeconds: 5, bootCount: 1 }],
    });
  });

  it.each([
    'explode',
    'power-cut',
    'power-cut soon',
    'battery',
    'battery full HL-1',
    'thermal 1e9',
    'power-cut -1',
    'power-cut 1e3',
    'reboot HL-9',
    'constructor 5',
    'power-cut 99999999999',
  ])('%j is rejected and does nothing', (line) => {
    expect(control(routers, parseControlLine(line))).toMatchObject({ ok: false });
    expect(done).toEqual([]);
  });
});

describe('the control server', () => {
  let close: () => void = () => undefined;
  afterEach(() => close());

  async function call(
    method: string,
    path: string,
    headers: { [name: string]: string } = {},
  ): Promise<{ status: number; body: unknown }> {
    const { server, port } = await serveControl(routers, 0);
    close = () => server.close();
    expect((server.address() as AddressInfo).address).toBe('127.0.0.1');
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.on('error', reject).end();
    });
  }

  it('takes the same commands', async () => {
    expect(await call('POST', '/power-cut?ms=50&serial=HL%202')).toMatchObject({ status: 200, body: { ok: true } });
    expect(done).toEqual(['HL 2 powerCut 50']);
  });

  it('returns the status', async () => {
    expect(await call('GET', '/status')).toMatchObject({
      status: 200,
      body: { result: [{ serial: 'HL-1' }, { serial: 'HL 2' }] },
    });
  });

  it.each([
    ['GET', '/reboot', {}, 404],
    ['POST', '//', {}, 404],
    ['POST', '/power-cut', {}, 400],
    ['POST', '/reboot', { origin: 'https://elsewhere.example' }, 403],
    ['POST', '/reboot', { host: 'rebound.example' }, 403],
  ] as [string, string, { [name: string]: string }, number][])(
    '%s %s with %j is rejected',
    async (method, path, headers, status) => {
      expect(await call(method, path, headers)).toMatchObject({ status, body: { ok: false } });
      expect(done).toEqual([]);
    },
  );
});
