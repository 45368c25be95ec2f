import { commands as calls } from '@highline/contract';
import { z } from 'zod';
import {
  createRemoteCalls,
  type RemoteCall,
  type RemoteCallReply,
  type RemoteCallTimeouts,
  type RemoteCallsDeps,
} from '../../platform/node-rpc/index.ts';
import { DomainError, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Tx, DeviceLink } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { findRouterOf, type RouterOfDevice } from './commands.queries.ts';
import { selectCommands } from './commands.store.ts';
import { orderRouter, type RouterReply } from './router-orders.ts';

export interface CommandRunDeps extends RemoteCallsDeps, Pick<Deps, 'clock'> {
  readonly deviceLink: DeviceLink;
  readonly timeouts?: Partial<RemoteCallTimeouts>;
}

/** Runs custom commands on routers, whichever process they are connected to (OLD-03). */
export interface CommandRuns {
  /**
   * Run a command on one router now, once or not at all. It is logged with its actor before the router is reached, and what became of it
   * afterwards; if no process has the router, nothing is logged.
   * @param isJob a job of the actor, which goes on when the session that started it has ended
   * @returns the router's unchanged answer
   * @throws DomainError `command.not_found`, `not_found` for the device, `command.offline`, `command.no_answer`; where another process has
   * the router also `session.invalid`, for a job `permission.denied`
   */
  run(scope: OrganizationScope, actor: Actor, id: string, deviceId: string, isJob: boolean): Promise<RouterReply>;
}

/** A command as the user saw it, and the router that should run it. */
const run = z.object({
  deviceId: z.string(),
  routerId: z.string(),
  serial: z.string(),
  name: z.string(),
  kind: z.enum(calls.commandKinds),
  argument: z.string(),
});
type Run = z.infer<typeof run>;

/** Longer than the gateway waits for a router, so that the process that sent the command can still report a timeout. */
const usual: RemoteCallTimeouts = { claimMs: 3_000, responseMs: 25_000 };

/** Create the runner of custom commands; nothing happens before the first run. */
export function createCommandRuns(deps: CommandRunDeps): CommandRuns {
  const { database, clock, deviceLink } = deps;

  const remoteCalls = createRemoteCalls<Run>(deps, {
    name: 'commands',
    shape: run,
    timeouts: { ...usual, ...deps.timeouts },
    right: calls.runCommand,
    deviceOf: ({ deviceId }) => deviceId,
    silent: 'command.no_answer',
    findNode: async ({ scope, payload }) => (await getTarget(deps, scope, payload.deviceId)).heldBy ?? undefined,
    isHere: ({ routerId }) => deviceLink.isConnected(routerId),
    begin: (tx, call) => recordRun(tx, call, 'command.sent', {}, clock.now()),
    async execute({ scope, payload }) {
      // The device may have moved to another organization meanwhile.
      const { routerId } = await getTarget(deps, scope, payload.deviceId);
      return orderRouter(deviceLink, routerId, payload);
    },
    complete(tx, call, response) {
      const outcome = outcomeOf(response);
      const key = outcome === undefined ? 'command.dropped' : 'command.ran';
      return recordRun(tx, call, key, outcome === undefined ? {} : { outcome }, clock.now());
    },
  });

  return {
    async run(scope, actor, id, deviceId, isJob) {
      const command = required(
        (await selectCommands(database.read, scope)).find((one) => one.id === id),
        'command.not_found',
      );
      const { isOnline, heldBy: _, ...target } = await getTarget(deps, scope, deviceId);
      const { name, kind, argument } = command;
      const payload: Run = { ...target, name, kind, argument };
      if (!isOnline && !deviceLink.isConnected(target.routerId)) throw new DomainError('command.offline');
      return remoteCalls.request<RouterReply>({ scope, actor, payload, isJob }, 'command.offline');
    },
  };
}

async function getTarget(
  { database }: Pick<CommandRunDeps, 'database'>,
  scope: OrganizationScope,
  id: string,
): Promise<RouterOfDevice> {
  return required(await findRouterOf(database.read, scope, id), 'not_found', { field: 'device' });
}

/** The logged outcome of a run; undefined if nothing was sent. */
function outcomeOf(response: RemoteCallReply | undefined): RouterReply['outcome'] | 'no-answer' | undefined {
  if (response === undefined) return 'no-answer';
  if ('value' in response) return (response.value as RouterReply).outcome;
  return response.rejected === 'command.no_answer' ? 'no-answer' : undefined;
}

async function recordRun(
  tx: Tx,
  { scope, actor, payload }: RemoteCall<Run>,
  key: 'command.sent' | 'command.ran' | 'command.dropped',
  detail: { readonly outcome?: string },
  now: Date,
): Promise<void> {
  const { deviceId, serial, name, kind, argument } = payload;
  await announce(tx, scope, 'devices', [deviceId]);
  const event = {
    action: sentence(key, name, serial),
    subject: { kind: 'device', id: deviceId },
    detail: { serial, name, kind, argument, ...detail },
  };
  await recordAudit(tx, scope.organizationId, actor, event, now);
}
