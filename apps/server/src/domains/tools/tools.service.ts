import { createHash, randomBytes } from 'node:crypto';
import { tools } from '@highline/contract';
import { contentVersion, DomainError, newId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Queries, Tx } from '../../platform/ports/index.ts';
import { findRouterOf, type RouterOfDevice } from '../commands/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { allowanceLeft } from '../usage/index.ts';
import { MOST_FILE_BYTES } from './file-memory.ts';
import { recordEnd, type ToolDeps, endOf } from './tool-ends.ts';
import { longestRun, toOperation, transfers } from './tool-operation.ts';
import { readTargets, saveTargets } from './tool-targets.store.ts';
import { isTestAllowed, parseRanges } from './tool-targets.ts';
import { countRunning, findFile, insertRun } from './tools.store.ts';
import { countFileBytes } from './transfers.job.queries.ts';

/** Where routers transfer. */
export const TRANSFERS = '/transfers/';

/** What is stored of the secret in a one-time address. */
export function hashOfSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * Have a router run a test, at most once. @returns its id
 * @throws DomainError `not_found` for the device, `router.not_connected`, `tool.running`, `tool.too_many`, `tool.too_many_files`,
 * `tool.plan_used_up`, `tool.target_not_allowed`
 */
export async function startRun(
  deps: ToolDeps,
  scope: OrganizationScope,
  actor: Actor,
  deviceId: string,
  input: tools.ToolInput,
): Promise<string> {
  const { database, calls, origin } = deps;
  const target = await getOnlineDevice(database, scope, deviceId);
  await rejectForbiddenTest(database.read, scope, input);
  if ('bytes' in input && transfers(input)) await requireAllowance(deps, scope, target, input.bytes);
  const secret = randomBytes(32).toString('base64url');
  const log = input.tool === 'log' ? await calls.findLog(scope, actor, target) : '';
  const id = await insert(deps, scope, actor, target, input, transfers(input) ? hashOfSecret(secret) : null);
  await sendRun(deps, scope, actor, target, { id, input, url: `${origin()}${TRANSFERS}${secret}`, log });
  return id;
}

interface Sent {
  readonly id: string;
  readonly input: tools.ToolInput;
  readonly url: string;
  readonly log: string;
}

/** Send a run to its router once, and record its end if that is the answer. */
export async function sendRun(
  { database, clock, calls }: Pick<ToolDeps, 'database' | 'clock' | 'calls'>,
  scope: OrganizationScope,
  actor: Actor,
  target: RouterOfDevice,
  { id, input, ...transfer }: Sent,
): Promise<void> {
  try {
    const outcome = await calls.send(scope, actor, target, id, toOperation(input, transfer));
    const end = endOf(input.tool, outcome);
    if (end !== undefined) await recordEnd(database, id, target.routerId, end, clock.now());
  } catch (error) {
    // Whether the router runs it is not known: its end arrives, or the run is over at its time limit.
    if (error instanceof DomainError && error.key === 'router.no_answer') return;
    await recordEnd(database, id, target.routerId, { failure: { cause: 'offline', message: '' } }, clock.now());
    if (!(error instanceof DomainError)) throw error;
  }
}

/** @throws DomainError `tool.target_not_allowed` */
export async function rejectForbiddenTest(
  queries: Queries,
  scope: OrganizationScope,
  input: tools.ToolInput,
  field?: string,
): Promise<void> {
  if (isTestAllowed(await readTargets(queries, scope), input)) return;
  throw new DomainError('tool.target_not_allowed', field === undefined ? {} : { field });
}

/** Which addresses the routers of an organization may test. */
export async function getTargets({ database }: Pick<ToolDeps, 'database'>, scope: OrganizationScope): Promise<tools.ToolTargets> {
  return readTargets(database.read, scope);
}

/**
 * @param isCurrent whether the caller's version, from If-Match, is the current one
 * @throws DomainError `tool.range_invalid`, `conflict.stale`
 */
export async function changeTargets(
  { database, clock }: Pick<ToolDeps, 'database' | 'clock'>,
  scope: OrganizationScope,
  actor: Actor,
  { allow, ranges }: tools.ToolTargets,
  isCurrent: (version: string) => boolean,
): Promise<void> {
  const targets: tools.ToolTargets = { allow, ranges: parseRanges(ranges) };
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    if (!isCurrent(contentVersion(await readTargets(tx, scope)))) throw new DomainError('conflict.stale');
    await saveTargets(tx, scope, targets);
    await announce(tx, scope, 'tools', []);
    const event = {
      action: sentence('tool.targets'),
      subject: { kind: 'organization', id: scope.organizationId },
      detail: { ...targets },
    };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

export const endsBy = (input: tools.ToolInput, now: Date): Date => new Date(now.getTime() + longestRun(input));

/** @throws DomainError `not_found`, `router.not_connected` */
export async function getOnlineDevice(database: Database, scope: OrganizationScope, deviceId: string): Promise<RouterOfDevice> {
  const found = required(await findRouterOf(database.read, scope, deviceId), 'not_found', { field: 'device' });
  if (!found.isOnline) throw new DomainError('router.not_connected');
  return found;
}

async function requireAllowance(
  { reader, clock }: ToolDeps,
  scope: OrganizationScope,
  { deviceId }: RouterOfDevice,
  bytes: number,
): Promise<void> {
  const left = await allowanceLeft(reader, scope, deviceId, clock.now());
  if (left !== undefined && left < bytes) throw new DomainError('tool.plan_used_up');
}

/** @throws DomainError `tool.too_many_files` */
async function rejectManyFiles(tx: Tx, input: tools.ToolInput): Promise<void> {
  if (input.tool !== 'capture' && input.tool !== 'log') return;
  const bytes = input.tool === 'log' ? tools.MAX_LOG_BYTES : input.bytes;
  if ((await countFileBytes(tx)) + bytes > MOST_FILE_BYTES) throw new DomainError('tool.too_many_files');
}

async function insert(
  { database, clock }: ToolDeps,
  scope: OrganizationScope,
  actor: Actor,
  { deviceId, routerId, serial }: RouterOfDevice,
  input: tools.ToolInput,
  addressHash: Buffer | null,
): Promise<string> {
  const now = clock.now();
  const id = newId(now.getTime());
  const by = actor.key?.label ?? actor.email;
  await database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    if ((await countRunning(tx, scope, false)) >= tools.MOST_RUNNING_TOOLS) throw new DomainError('tool.too_many');
    await rejectManyFiles(tx, input);
    const isNew = await insertRun(tx, scope, {
      id,
      deviceId,
      routerId,
      input,
      by,
      now,
      endsBy: endsBy(input, now),
      addressHash,
      ruleId: null,
    });
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
