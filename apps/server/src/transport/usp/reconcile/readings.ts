import { UspError } from '@highline/usp';
import type { OperateOptions, OperationOutcome } from '../../../platform/ports/index.ts';
import { runUspCommand } from '../device-link.ts';
import { toFailure } from '../failures.ts';
import type { Session } from '../session.ts';
import { measure, type ReconcileDeps } from './steps.ts';

/**
 * Make a router report its readings now, through our telemetry profile. Without a profile or ForceCollection(), read them
 * instead. An agent may run the command asynchronously: its end comes with the key of the options.
 * @throws NoResponse
 */
export async function sendReadings(
  deps: Pick<ReconcileDeps, 'telemetry' | 'positions' | 'usage' | 'ingest' | 'clock'>,
  session: Session,
  options: OperateOptions,
): Promise<OperationOutcome> {
  const profile = session.polledPaths === undefined ? session.profile : undefined;
  const response = profile === undefined ? undefined : await forceCollection(session, profile, options);
  if (response !== undefined && !(response.type === 'failed' && response.cause === 'unsupported')) return response;
  const count = await measure(deps, session, session.polledPaths);
  return count > 0
    ? { type: 'done', outputs: new Map() }
    : { type: 'failed', ...toFailure(UspError.objectDoesNotExist, response?.type === 'failed' ? response.message : '') };
}

function forceCollection(session: Session, profile: string, options: OperateOptions): Promise<OperationOutcome> {
  return runUspCommand(session, { command: `${profile}ForceCollection()`, inputArgs: new Map() }, options);
}
