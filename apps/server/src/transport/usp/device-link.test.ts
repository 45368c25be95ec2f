import type { UspErrorBody } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import { completeAgent } from '../../testing/agent-models.ts';
import type { AgentOptions, TestAgent } from '../../testing/agent.ts';
import { eventually } from '../../testing/eventually.ts';
import { openGateways } from '../../testing/gateways.ts';
import type { RouterDatabase, TestRouter } from '../../testing/routers.ts';
import { toOutcome } from './device-link.ts';
import { toFailure } from './failures.ts';

let fleet: RouterDatabase;
let router: TestRouter;
const start = openGateways((given) => ({ fleet, router } = given));

const error = (errCode: number, errMsg: string, paramErrs: UspErrorBody['paramErrs'] = []): UspErrorBody => ({
  type: 'error',
  errCode,
  errMsg,
  paramErrs,
});

describe('the answer to a command', () => {
  it('is a failure when the result list is empty: nothing was done', () => {
    expect(toOutcome({ type: 'operate_resp', operationResults: [] })).toEqual({ type: 'failed', ...toFailure(7016, '') });
  });

  it('takes the cause of invalid arguments from the parameter errors', () => {
    const cause = [{ paramPath: 'Device.Nothing()', errCode: 7026, errMsg: 'no such path' }];
    expect(toOutcome(error(7004, 'invalid arguments', cause))).toEqual({
      type: 'failed',
      ...toFailure(7026, 'invalid arguments'),
    });
    expect(toOutcome(error(7004, '', cause))).toEqual({ type: 'failed', ...toFailure(7026, 'no such path') });
    expect(toOutcome(error(7005, 'busy', cause))).toEqual({ type: 'failed', ...toFailure(7005, 'busy') });
    expect(toOutcome(error(7004, 'which?'))).toEqual({ type: 'failed', ...toFailure(7004, 'which?') });
  });
});

describe('OLD-03-partial sending readings now', () => {
  /** Answer Operate with these results. */
  const operating =
    (results: readonly object[]): NonNullable<AgentOptions['respond']> =>
    (agent, { msgId, type }) => {
      if (type !== 'operate') return false;
      agent.sendMessage(msgId, 'OPERATE_RESP', 'response', 'operateResp', { operationResults: results });
      return true;
    };
  const commandsOf = (agent: TestAgent) =>
    agent.requests.flatMap(({ type, value }) => (type === 'operate' ? [value['command']] : []));
  const profileOf = (agent: TestAgent) =>
    [...agent.model].find(([, value]) => value === 'highline-telemetry')![0].replace(/Name$/u, '');

  it('uses our own profile and no other', async () => {
    const gateway = await start();
    const model = new Map([...completeAgent.model, ['Device.BulkData.Profile.77.Name', 'another']]);
    const done = operating([{ one: { case: 'reqOutputArgs', value: {} } }]);
    const agent = gateway.agent(router, { ...completeAgent, model, respond: done });
    await gateway.reconciled();
    const before = agent.requests.length;
    expect(await gateway.gateway.deviceLink.operate(router.id, { type: 'send-readings' })).toEqual({
      type: 'done',
      outputs: new Map(),
    });
    expect(commandsOf(agent)).toEqual([`${profileOf(agent)}ForceCollection()`]);
    // Over LTE each question is 50 ms: which profile is ours is known since the set-up.
    expect(agent.requests.slice(before).map(({ type }) => type)).toEqual(['operate']);
  });

  it.each([
    ['nothing was done', []],
    ['it has no such command', [{ one: { case: 'cmdFailure', value: { errCode: 7026, errMsg: 'no such command' } } }]],
  ])('reads them where %s', async (_, results) => {
    const gateway = await start();
    const agent = gateway.agent(router, { ...completeAgent, respond: operating(results) });
    await gateway.reconciled();
    agent.model.set('Device.Cellular.Interface.1.RSSI', '-66');
    expect(await gateway.gateway.deviceLink.operate(router.id, { type: 'send-readings' })).toEqual({
      type: 'done',
      outputs: new Map(),
    });
    await eventually(async () => expect((await fleet.telemetryOf(router)).map(({ value }) => value)).toContain(-66));
  });

  it('names its request to an agent that reports the end later, which is then not idle until that end comes', async () => {
    const gateway = await start();
    const { deviceLink, idle } = gateway.gateway;
    const ends: string[] = [];
    const completed = (_routerId: string, key: string) => Promise.resolve(void ends.push(key));
    deviceLink.listen({ ready: () => undefined, completed, progressed: () => undefined });
    const later = operating([{ one: { case: 'reqObjPath', value: 'Device.LocalAgent.Request.1.' } }]);
    const agent = gateway.agent(router, { ...completeAgent, respond: later });
    await gateway.reconciled();
    expect(await deviceLink.operate(router.id, { type: 'send-readings' }, { key: 'k-1' })).toEqual({ type: 'running' });
    expect(idle(10, 0)).toEqual([]);
    const { commandKey } = agent.requests.findLast(({ type }) => type === 'operate')!.value;
    const end = { objPath: profileOf(agent), commandName: 'ForceCollection()', commandKey };
    agent.notify('end', 'operComplete', { ...end, one: { case: 'reqOutputArgs', value: { outputArgs: {} } } });
    await agent.whenResponded('end');
    expect(ends).toEqual(['k-1']);
    expect(idle(10, 0)).toEqual([router.id]);
  });

  it('returns a rejection as one', async () => {
    const gateway = await start();
    const rejection = operating([{ one: { case: 'cmdFailure', value: { errCode: 7022, errMsg: 'too often' } } }]);
    gateway.agent(router, { ...completeAgent, respond: rejection });
    await gateway.reconciled();
    expect(await gateway.gateway.deviceLink.operate(router.id, { type: 'send-readings' })).toEqual({
      type: 'failed',
      ...toFailure(7022, 'too often'),
    });
  });
});

describe('a router whose set-up is not over', () => {
  /** Routers reported as ready. */
  async function open(respond: NonNullable<AgentOptions['respond']>) {
    const gateway = await start();
    const { deviceLink } = gateway.gateway;
    const ready: string[] = [];
    deviceLink.listen({ ready: (id) => void ready.push(id), completed: () => Promise.resolve(), progressed: () => undefined });
    const agent = gateway.agent(router, { ...completeAgent, respond });
    return { agent, deviceLink, ready };
  }

  it('awaits it until its subscriptions are answered, and is ready only then', async () => {
    const held: (() => void)[] = [];
    let isHeld = true;
    const { agent, deviceLink, ready } = await open((own, request) => {
      if (!isHeld || request.type !== 'add') return false;
      held.push(() => own.respond(request));
      return true;
    });
    expect(deviceLink.awaitsSetUp(router.id)).toBe(false);
    await eventually(() => expect(held).toHaveLength(1));
    expect(deviceLink.awaitsSetUp(router.id)).toBe(true);
    expect(ready).toEqual([]);
    isHeld = false;
    held[0]!();
    await eventually(() => expect(ready).toEqual([router.id]));
    expect(deviceLink.awaitsSetUp(router.id)).toBe(false);
    expect([...agent.model.values()]).toContain('highline-operations');
  });

  it('awaits it no longer when the agent rejects it', async () => {
    const { deviceLink, ready } = await open((own, { msgId, type }) => {
      if (type === 'add') own.sendMessage(msgId, 'ERROR', 'error', undefined, { errCode: 7003, errMsg: 'not now' });
      return type === 'add';
    });
    await eventually(() => expect(ready).toEqual([router.id]));
    expect(deviceLink.awaitsSetUp(router.id)).toBe(false);
  });
});

describe('NOD-02-partial a router that may connect elsewhere', () => {
  it('is set up and idle: no request is open, and no command runs whose end it will report', async () => {
    const gateway = await start();
    const { deviceLink, idle } = gateway.gateway;
    let silent = false;
    const agent = gateway.agent(router, {
      ...completeAgent,
      respond(connection, { msgId, type }) {
        if (type === 'operate')
          connection.sendMessage(msgId, 'OPERATE_RESP', 'response', 'operateResp', {
            operationResults: [{ one: { case: 'reqObjPath', value: 'Device.LocalAgent.Request.1.' } }],
          });
        return type === 'operate' || silent;
      },
    });
    await gateway.reconciled();
    await eventually(() => Promise.resolve(expect(idle(10, 0)).toEqual([router.id])));
    expect(idle(10, 3_600_000)).toEqual([]);
    expect(await deviceLink.operate(router.id, { type: 'reboot' }, { key: 'k-1' })).toEqual({ type: 'running' });
    expect(idle(10, 0)).toEqual([]);
    agent.notify('end', 'operComplete', {
      objPath: 'Device.',
      commandName: 'Reboot()',
      commandKey: 'k-1',
      one: { case: 'reqOutputArgs', value: { outputArgs: {} } },
    });
    await agent.whenResponded('end');
    await eventually(() => Promise.resolve(expect(idle(10, 0)).toEqual([router.id])));
    silent = true;
    const open = deviceLink.readValues(router.id, ['Device.DeviceInfo.']).catch(() => undefined);
    expect(idle(10, 0)).toEqual([]);
    agent.cut();
    await open;
  });
});
