import { sentCommands } from '@highline/contract';
import { createEngine, type Engine, type EngineDeps } from '../../../platform/engine/engine.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import { isNotConnected, isUnreachable, type DeviceLink, type OperationOutcome } from '../../../platform/ports/index.ts';
import { findPasswordOf } from '../passwords/stored-passwords.job.queries.ts';
import { isComposed, operationOf, type ComposedKind } from '../router-orders.ts';
import { findAbsent } from './engine.job.queries.ts';
import { usualTimeouts, type CommandEvent, type CommandTimeouts } from './facts.ts';
import { runCommandPass, type CommandPassDeps, type CommandRequest } from './pass.ts';

export interface CommandEngineDeps
  extends EngineDeps, Omit<CommandPassDeps, 'deviceLink'>, Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink'> {
  readonly timeouts?: Partial<CommandTimeouts>;
  /** Carry out the kinds that are no single operation. @throws DomainError as `DeviceLink.operate` */
  readonly composed: Readonly<Record<ComposedKind, (request: CommandRequest) => Promise<OperationOutcome>>>;
}

export type CommandEngine = Engine<CommandEvent>;

/** Rows that one look for absent devices takes. */
const ABSENT_BATCH = 1_000;

/** Sends commands to routers once they are connected, each once, and writes how they ended (LIV-09). */
export function createCommandEngine(deps: CommandEngineDeps): CommandEngine {
  const timeouts = { ...usualTimeouts, ...deps.timeouts };
  const engine = createEngine<CommandEvent, CommandRequest, Awaited<ReturnType<typeof runCommandPass>>>(deps, {
    name: 'commands of routers',
    trouble: 'A pass over the commands of routers failed and will be retried.',
    pass: (events, now) => runCommandPass(deps, timeouts, events, now),
    execute: (request) => execute(deps, timeouts.responseMs, request),
    resumeUnfinished: (now) => deps.database.write((tx) => findAbsent(tx, now, ABSENT_BATCH)),
  });
  listen(deps.deviceLink, engine);
  return engine;
}

function listen(deviceLink: DeviceLink, engine: CommandEngine): void {
  deviceLink.listen({
    ready: (routerId) => engine.add({ routerId }),
    progressed: () => undefined,
    restarted: (routerId, id) => engine.handle({ routerId, step: { id, event: { type: 'completed', failure: undefined } } }),
    // Ends of other modules have keys that are no command here: they change nothing.
    completed: (routerId, id, failure) => engine.handle({ routerId, step: { id, event: { type: 'completed', failure } } }),
  });
}

/** Never rejects; undefined = no answer, and the time decides. */
async function execute(
  { database, deviceLink, log, passwordSealing, composed }: CommandEngineDeps,
  timeoutMs: number,
  request: CommandRequest,
): Promise<CommandEvent | undefined> {
  const { id, routerId, kind, argument } = request;
  try {
    if (isComposed(kind)) {
      const outcome = await composed[kind](request);
      return { routerId, step: { id, event: { type: 'answered', outcome } } };
    }
    const password = kind === sentCommands.SET_PASSWORD ? await findPasswordOf(database.read, passwordSealing, id) : '';
    // Its device left, and the command is about to be cancelled.
    if (password === undefined) return { routerId, step: { id, event: { type: 'undelivered' } } };
    const outcome = await deviceLink.operate(routerId, operationOf(kind, argument, password), { key: id, timeoutMs });
    return { routerId, step: { id, event: { type: 'answered', outcome } } };
  } catch (error) {
    if (isNotConnected(error)) return { routerId, step: { id, event: { type: 'undelivered' } } };
    if (!isUnreachable(error)) log.error({ err: error, routerId }, 'Failed to send a command to a router.');
    return undefined;
  }
}
