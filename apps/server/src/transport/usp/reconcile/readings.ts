import { UspError } from '@highline/usp';
import type { OperationOutcome } from '../../../platform/ports/index.ts';
import { toOutcome } from '../device-link.ts';
import { toFailure } from '../failures.ts';
import type { Session } from '../session.ts';
import { measure, type ReconcileDeps } from './steps.ts';

/**
 * Make a router report its readings now, through our telemetry profile. Without a profile or ForceCollection(), read them
 * instead.
 * @throws NoResponse
 */
export async function sendReadings(
  deps: Pick<ReconcileDeps, 'telemetry' | 'positions' | 'usage' | 'ingest' | 'clock'>,
  session: Session,
): Promise<OperationOutcome> {
  const profile = session.polledPaths === undefined ? session.profile : undefined;
  const response = profile === undefined ? undefined : await forceCollection(session, profile);
  if (response !== undefined && !(response.type === 'failed' && response.cause === 'unsupported')) return response;
  const count = await measure(deps, session, session.polledPaths);
  return count > 0
    ? { type: 'done', outputs: new Map() }
    : { type: 'failed', ...toFailure(UspError.objectDoesNotExist, response?.type === 'failed' ? response.message : '') };
}

async function forceCollection(session: Session, profile: string): Promise<OperationOutcome> {
  const command = { command: `${profile}ForceCollection()`, commandKey: '', inputArgs: new Map<string, string>() };
  return toOutcome(await session.ask<'operate'>({ type: 'operate', sendResp: true, ...command }));
}
