import { expect, test } from 'vitest';
import { commands, type Right } from '@highline/contract';
import { z } from 'zod';
import { newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { silentLog } from '../../testing/log.ts';
import { createExecutor, type ExecutorDeps } from './executor.ts';
import type { RemoteCall } from './handler.ts';

interface Payload {
  readonly routerId: string;
}

const scope: OrganizationScope = { kind: 'organization', organizationId: newId(), mainAccountId: newId() };
const { sessionId, address, ...author }: Actor = {
  accountId: newId(),
  email: 'dana@highline.invalid',
  name: 'Dana',
  role: 'admin',
  mainAccountId: scope.mainAccountId,
  organizationId: scope.organizationId,
  address: '192.0.2.7',
  sessionId: 'of Dana',
  key: { id: newId(), label: 'Sync (hlk_12…)', organizationId: scope.organizationId },
};
const signedIn: Actor = { ...author, email: 'dana@new.invalid', address: '', sessionId };

/** An executor, and the calls that it has executed. */
function open(rights: Partial<ExecutorDeps> = {}) {
  const executed: RemoteCall<Payload>[] = [];
  const deps = { log: silentLog, readSession: async () => undefined, mayAct: async () => false, ...rights };
  const executor = createExecutor<Payload>(
    deps,
    {
      name: 'commands',
      shape: z.object({ routerId: z.string() }),
      timeouts: { claimMs: 1, responseMs: 1 },
      right: commands.runCommand,
      silent: 'command.no_answer',
      findNode: async () => undefined,
      isHere: () => true,
      execute: async (call) => void executed.push(call),
    },
    async () => {},
  );
  const { organizationId, mainAccountId } = scope;
  /** Offer a call as another process does, and have it executed. */
  const call = async (more: object = {}) => {
    const offered = { type: 'offer', organizationId, mainAccountId, payload: { routerId: 'r' }, sessionId, address, ...more };
    const { ticket } = (await executor.receive(executor.shape.parse(offered))) as { ticket: string };
    const { answer: response } = (await executor.receive({ type: 'run', ticket })) as { answer: unknown };
    await executor.receive({ type: 'end', ticket, isReceived: true });
    return response;
  };
  return { executor, executed, call };
}

test('NOD-01-partial a call that someone waits for is executed as who is signed in now, and rejected when the session has ended', async () => {
  const checked: string[] = [];
  const { call, executed } = open({
    readSession: async (id) => {
      checked.push(id);
      return signedIn;
    },
    mayAct: () => Promise.reject(new Error('not checked')),
  });
  expect(await call()).toEqual({ value: null });
  expect(checked).toEqual([sessionId]);
  expect(executed.map(({ actor }) => actor)).toEqual([{ ...signedIn, address }]);
  const ended = open({ mayAct: async () => true });
  expect(await ended.call()).toEqual({ rejected: 'session.invalid' });
  expect(ended.executed).toEqual([]);
});

test('USE-03-partial BLK-01-partial a call of a job is executed as its author, without a session, while the author may act', async () => {
  const checked: [Actor, Right, (string | undefined)?][] = [];
  const { call, executed } = open({ mayAct: async (...pair) => checked.push(pair) > 0 });
  expect(await call({ author })).toEqual({ value: null });
  const actor = { ...author, address, sessionId: '' };
  expect([checked, executed]).toEqual([
    [[actor, commands.runCommand, undefined]],
    [{ scope, payload: { routerId: 'r' }, actor }],
  ]);
  // Signed in or not: a job is checked for the rights that it began with.
  const former = open({ readSession: async () => signedIn });
  expect(await former.call({ author })).toEqual({ rejected: 'permission.denied' });
  expect(former.executed).toEqual([]);
});

test('NOD-03-partial an offer of the version before, which has no author, is read, and one with half an author is not', () => {
  const { executor } = open();
  const { organizationId, mainAccountId } = scope;
  const offer = { type: 'offer', organizationId, mainAccountId, payload: {}, sessionId, address };
  expect(executor.shape.safeParse(offer).success).toBe(true);
  expect(executor.shape.safeParse({ ...offer, author: { accountId: author.accountId } }).success).toBe(false);
  expect(executor.shape.safeParse({ ...offer, author: { ...author, role: 'system' } }).success).toBe(false);
});
