import { tools } from '@highline/contract';
import { z } from 'zod';
import { DomainError, LOG_FILES, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { createRemoteCalls, type RemoteCallTimeouts, type RemoteCallsDeps } from '../../platform/node-rpc/index.ts';
import type { DeviceLink, OperationOutcome, RouterDiagnostic } from '../../platform/ports/index.ts';
import { findRouterOf, type RouterOfDevice } from '../commands/index.ts';
import { operationOf } from './tool-operation.ts';
import { keyOfRun } from './tool-run.ts';

export interface ToolCallsDeps extends RemoteCallsDeps {
  readonly deviceLink: DeviceLink;
  readonly timeouts?: Partial<RemoteCallTimeouts>;
}

/** Requests to a router, whichever process it is connected to. */
export interface ToolCalls {
  /**
   * Send a test.
   * @throws DomainError `router.not_connected` when nothing was sent, `router.no_answer` when the router may run it
   */
  send(
    scope: OrganizationScope,
    actor: Actor,
    device: RouterOfDevice,
    runId: string,
    operation: RouterDiagnostic,
  ): Promise<OperationOutcome>;
  /** The tests that the router's data model has. @throws as `send` */
  offered(scope: OrganizationScope, actor: Actor, device: RouterOfDevice): Promise<tools.ToolKind[]>;
  /** Path of the router's log, with the final dot. @throws as `send` */
  findLog(scope: OrganizationScope, actor: Actor, device: RouterOfDevice): Promise<string>;
}

const request = z.object({
  kind: z.enum(['send', 'offered', 'log']),
  deviceId: z.string(),
  routerId: z.string(),
  runId: z.string(),
  operation: z.custom<RouterDiagnostic>((value) => typeof value === 'object').nullable(),
});
type Request = z.infer<typeof request>;

/** An outcome as JSON. */
type PlainOutcome =
  | { readonly type: 'done'; readonly outputs: readonly (readonly [string, string])[] }
  | Exclude<OperationOutcome, { type: 'done' }>;

/** Longer than the gateway waits for a router, so that the process that sent it can still report a timeout. */
const usual: RemoteCallTimeouts = { claimMs: 3_000, responseMs: 25_000 };

/** Create what sends tests to routers; nothing happens before the first call. */
export function createToolCalls(deps: ToolCallsDeps): ToolCalls {
  const { database, deviceLink } = deps;
  const executeHere = (routerId: string, { kind, runId, operation }: Request): Promise<unknown> => {
    if (kind === 'offered') return offeredBy(deviceLink, routerId);
    if (kind === 'log') return logOf(deviceLink, routerId);
    return sendTo(deviceLink, routerId, runId, operation!);
  };
  const remoteCalls = createRemoteCalls<Request>(deps, {
    name: 'tools',
    shape: request,
    timeouts: { ...usual, ...deps.timeouts },
    right: tools.runTool,
    silent: 'router.no_answer',
    findNode: async ({ scope, payload }) => (await findRouterOf(database.read, scope, payload.deviceId))?.heldBy ?? undefined,
    isHere: ({ routerId }) => deviceLink.isConnected(routerId),
    async execute({ scope, payload }) {
      // The device may have moved to another organization meanwhile.
      const { routerId } = required(await findRouterOf(database.read, scope, payload.deviceId), 'not_found');
      return executeHere(routerId, payload);
    },
  });
  const run = async <T>(
    scope: OrganizationScope,
    actor: Actor,
    { deviceId, routerId }: RouterOfDevice,
    rest: Pick<Request, 'kind' | 'runId' | 'operation'>,
  ): Promise<T> => {
    const payload = { ...rest, deviceId, routerId };
    if (deviceLink.isConnected(routerId)) return (await executeHere(routerId, payload)) as T;
    return remoteCalls.request<T>({ scope, actor, payload }, 'router.not_connected');
  };
  return {
    async send(scope, actor, device, runId, operation) {
      const outcome = await run<PlainOutcome>(scope, actor, device, { kind: 'send', runId, operation });
      return outcome.type === 'done' ? { type: 'done', outputs: new Map(outcome.outputs) } : outcome;
    },
    offered: (scope, actor, device) => run(scope, actor, device, { kind: 'offered', runId: '', operation: null }),
    findLog: (scope, actor, device) => run(scope, actor, device, { kind: 'log', runId: '', operation: null }),
  };
}

async function sendTo(
  deviceLink: DeviceLink,
  routerId: string,
  runId: string,
  operation: RouterDiagnostic,
): Promise<PlainOutcome> {
  const outcome = await deviceLink.operate(routerId, operation, { key: keyOfRun(runId) });
  return outcome.type === 'done' ? { type: 'done', outputs: [...outcome.outputs] } : outcome;
}

/** One after the other: some agents stall on a second request. */
async function offeredBy(deviceLink: DeviceLink, routerId: string): Promise<tools.ToolKind[]> {
  const offered: tools.ToolKind[] = [];
  for (const tool of tools.toolKinds) if (await deviceLink.offers(routerId, operationOf[tool])) offered.push(tool);
  return offered;
}

/** The first of the router's logs, by the numbers of its table. */
async function logOf(deviceLink: DeviceLink, routerId: string): Promise<string> {
  try {
    const values = await deviceLink.readValues(routerId, [LOG_FILES]);
    const numbers = [...values.keys()].map((path) => Number(path.slice(LOG_FILES.length).split('.', 1)[0]));
    const first = Math.min(...numbers.filter((number) => Number.isSafeInteger(number) && number > 0));
    if (Number.isFinite(first)) return `${LOG_FILES}${first}.`;
  } catch (error) {
    if (error instanceof DomainError) throw error;
  }
  return `${LOG_FILES}1.`;
}
