import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { IndependentValue } from '../codec.ts';
import { StrictAgent } from '../strict-agent.ts';
import type { TraitChoice, Traits } from '../traits.ts';
import { Controller } from './controller.ts';

export interface Subject {
  readonly controller: Controller;
  readonly choice: TraitChoice;
  readonly agent: StrictAgent;
}

/** Test subjects of a file: an agent and its controller, which end after each test. */
export function subjects(): (more?: Partial<Traits>) => Promise<Subject> {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return async (more = {}) => {
    const stateDir = await mkdtemp(join(tmpdir(), 'strict-agent-'));
    const controller = await new Controller().listen();
    const server = `ws://${controller.address}`;
    const timing = { reconnectMs: 10, notifyRetryMs: 20, bootMs: 0 };
    const choice = { server, secret: 'secret', endpointId: 'os::00AA55-STRICT-1', stateDir, ...timing, ...more };
    const agent = new StrictAgent(choice);
    ends.push(async () => {
      agent.cutPower();
      await controller.close();
      await rm(stateDir, { recursive: true });
    });
    return { controller, choice, agent };
  };
}

export const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';

export function settings(values: Readonly<Record<string, string>>, required = true): IndependentValue[] {
  return Object.entries(values).map(([param, value]) => ({ param, value, required }));
}

/** Arguments of an Add of one object. */
export function adding(objPath: string, paramSettings: readonly IndependentValue[], allowPartial = true): IndependentValue {
  return { allowPartial, createObjs: [{ objPath, paramSettings }] };
}

/** A subscription as a standard controller creates it. */
export function subscription(id: string, type: string, references: string, more: Record<string, string> = {}): IndependentValue {
  const values = { ID: id, NotifType: type, ReferenceList: references, Enable: 'true', Persistent: 'true', NotifRetry: 'true' };
  return adding(SUBSCRIPTIONS, settings({ ...values, ...more }));
}

/** Result of a part of an Add, a Set or a Delete: 'operSuccess' or 'operFailure' with its value. */
export function outcomeOf(part: unknown): { readonly case: string; readonly value: IndependentValue } {
  return ((part as IndependentValue)['operStatus'] as IndependentValue)['one'] as { case: string; value: IndependentValue };
}
