import { tools } from '@highline/contract';
import { sanitizeLine } from '../../kernel/sanitize-device-text.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, OperationOutcome, Tx } from '../../platform/ports/index.ts';
import type { ToolCalls } from './tool-calls.ts';
import { endRun, findRunning } from './tool-ends.job.queries.ts';
import { toResult } from './tool-result.ts';
import { runOfKey, type RunEnd } from './tool-run.ts';

export interface ToolDeps extends Pick<Deps, 'database' | 'reader' | 'clock'> {
  readonly calls: ToolCalls;
  /** Address that routers transfer to and from, without a trailing slash. */
  readonly origin: () => string;
}

/** The end that an answer is; undefined while the router runs the test. */
export function endOf(tool: tools.ToolKind, outcome: OperationOutcome): RunEnd | undefined {
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
