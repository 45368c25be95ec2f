import { createHash, randomBytes } from 'node:crypto';
import { tools } from '@highline/contract';
import { DomainError, newId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, OperationOutcome, Tx } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { allowanceLeft } from '../usage/index.ts';
import { longestRun, toOperation, transfers } from './tool-operation.ts';
import { toResult } from './tool-result.ts';
import { runOfKey, type RunEnd } from './tool-run.ts';
import { findToolDevice, type ToolDevice } from './tools.queries.ts';
import type { ToolCalls } from './tool-calls.ts';
import { endRun, findRunning } from './tool-ends.job.queries.ts';
import { countRunning, findFile, insertRun } from './tools.store.ts';

export interface ToolDeps extends Pick<Deps, 'database' | 'reader' | 'clock'> {
  readonly calls: ToolCalls;
  /** Address that routers transfer to and from, without a trailing slash. */
  readonly origin: () => string;
}

/** Where routers transfer. */
export const TRANSFERS = '/transfers/';

/** What is stored of the secret in a one-time address. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Have a router run a test, at most once. @returns its id
 * @throws DomainError `not_found` for the device, `router.not_connected`, `tool.running`, `tool.too_many`, `tool.plan_used_up`
 */
export async function startRun(
  deps: ToolDeps,
  scope: OrganizationScope,
  actor: Actor,
  deviceId: string,
  input: tools.ToolInput,
): Promise<string> {
  const { database, clock, calls, origin } = deps;
  const target = await getOnlineDevice(database, scope, deviceId);
  if ('bytes' in input && transfers(input)) await requireAllowance(deps, scope, target, input.bytes);
  const secret = randomBytes(32).toString('base64url');
  const log = input.tool === 'log' ? await calls.findLog(scope, actor, target) : '';
  const id = await insert(deps, scope, actor, target, input, transfers(input) ? hashOfSecret(secret) : null);
  try {
    const operation = toOperation(input, { url: `${origin()}${TRANSFERS}${secret}`, log });
    const outcome = await calls.send(scope, actor, target, id, operation);
    const end = endOf(input.tool, outcome);
    if (end !== undefined) await recordEnd(database, id, target.routerId, end, clock.now());
  } catch (error) {
    // Whether the router runs it is not known: its end arrives, or the run is over at its time limit.
    if (error instanceof DomainError && error.key === 'router.no_answer') return id;
    await recordEnd(database, id, target.routerId, { failure: { cause: 'offline', message: '' } }, clock.now());
    if (!(error instanceof DomainError)) throw error;
  }
  return id;
}

/** @throws DomainError `not_found`, `router.not_connected` */
export async function getOnlineDevice(database: Database, scope: OrganizationScope, deviceId: string): Promise<ToolDevice> {
  const found = required(await findToolDevice(database.read, scope, deviceId), 'not_found', { field: 'device' });
  if (!found.isOnline) throw new DomainError('router.not_connected');
  return found;
}

async function requireAllowance(
  { reader, clock }: ToolDeps,
  scope: OrganizationScope,
  { deviceId }: ToolDevice,
  bytes: number,
): Promise<void> {
  const left = await allowanceLeft(reader, scope, deviceId, clock.now());
  if (left !== undefined && left < bytes) throw new DomainError('tool.plan_used_up');
}

async function insert(
  { database, clock }: ToolDeps,
  scope: OrganizationScope,
  actor: Actor,
  { deviceId, routerId, serial }: ToolDevice,
  input: tools.ToolInput,
  addressHash: Buffer | null,
): Promise<string> {
  const now = clock.now();
  const id = newId(now.getTime());
  const endsBy = new Date(now.getTime() + longestRun(input));
  const by = actor.key?.label ?? actor.email;
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    if ((await countRunning(tx, scope)) >= tools.MOST_RUNNING_TOOLS) throw new DomainError('tool.too_many');
    const isNew = await insertRun(tx, scope, { id, deviceId, routerId, input, by, now, endsBy, addressHash });
    if (!isNew) throw new DomainError('tool.running');
    await announce(tx, scope, 'tools', [deviceId]);
    const event = {
      action: sentence('tool.ran', sentence(`tool.${input.tool}`), serial),
      subject: { kind: 'device', id: deviceId },
      detail: { serial, ...input },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
  });
  return id;
}

/** The end that an answer is; undefined while the router runs the test. */
function endOf(tool: tools.ToolKind, outcome: OperationOutcome): RunEnd | undefined {
  if (outcome.type === 'done') return { result: toResult(tool, outcome.outputs) };
  if (outcome.type !== 'failed') return undefined;
  return { failure: { cause: outcome.cause, message: sanitizeLine(outcome.message) ?? '' } };
}

/**
 * A router reported the end of an operation, perhaps of another part of the server. What it repeats changes nothing.
 * @throws Error when it was not stored: the router repeats it
 */
export async function receiveEnd(
  { database, clock }: Pick<ToolDeps, 'database' | 'clock'>,
  routerId: string,
  key: string,
  outcome: OperationOutcome,
): Promise<void> {
  const id = runOfKey(key);
  const run = id === undefined ? undefined : await findRunning(database.read, routerId, id);
  const end = run && endOf(run.tool, outcome);
  if (id === undefined || run === undefined || end === undefined) return;
  const isMissing = run.file_sha256 === null && 'result' in end && (run.tool === 'capture' || run.tool === 'log');
  const stored: RunEnd = isMissing ? { result: { ...end.result, status: 'not-uploaded' } } : end;
  await recordEnd(database, id, routerId, stored, clock.now());
}

/** End a run that runs, once. @param routerId undefined = we end it */
export async function recordEnd(
  database: Database,
  id: string,
  routerId: string | undefined,
  end: RunEnd,
  now: Date,
): Promise<void> {
  await database.write(async (tx: Tx) => {
    const ended = await endRun(tx, id, routerId, end, now);
    if (ended === undefined) return;
    const { organization_id: organizationId, main_account_id: mainAccountId, device_id: deviceId } = ended;
    await announce(tx, { kind: 'organization', organizationId, mainAccountId }, 'tools', [deviceId]);
  });
}

/** What a router sent for a run, for a person; logged. @throws DomainError `tool.no_file` */
export async function readFile(
  { database, clock }: Pick<ToolDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
  run: { readonly id: string; readonly device_id: string; readonly tool: tools.ToolKind },
  serial: string,
): Promise<Buffer> {
  return database.write(async (tx) => {
    const { contents } = required(await findFile(tx, scope, run.id), 'tool.no_file');
    const event = {
      action: sentence('tool.downloaded', sentence(`tool.${run.tool}`), serial),
      subject: { kind: 'device', id: run.device_id },
      detail: { serial, tool: run.tool, run: run.id },
    };
    await announce(tx, scope, 'tools', [run.device_id]);
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
    return contents;
  });
}
