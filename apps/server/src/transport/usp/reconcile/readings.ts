import { isUnsupported, type CommandAnswer } from '../../../platform/ports/index.ts';
import { answerOf } from '../device-link.ts';
import { PROFILES } from '../../../kernel/tr181.ts';
import type { Session } from '../session.ts';
import { PROFILE_NAME } from './bulk-data.ts';
import { readAll } from './questions.ts';
import { measure, type ReconcileDeps } from './steps.ts';

/**
 * Make a router report its readings now, through our telemetry profile. Without a profile or ForceCollection(), read them
 * instead.
 * @throws NoAnswer
 */
export async function sendReadings(
  deps: Pick<ReconcileDeps, 'telemetry' | 'positions' | 'usage' | 'ingest' | 'clock'>,
  session: Session,
): Promise<CommandAnswer> {
  const profile = session.polledPaths === undefined ? await findProfile(session) : undefined;
  const answer = profile === undefined ? undefined : await forceCollection(session, profile);
  if (answer !== undefined && (answer.type !== 'failed' || !isUnsupported(answer))) return answer;
  const count = await measure(deps, session, session.polledPaths);
  return count > 0 ? { type: 'done' } : { type: 'failed', code: 7016, message: answer?.type === 'failed' ? answer.message : '' };
}

async function findProfile(session: Session): Promise<string | undefined> {
  const answers = await readAll(session, [PROFILES]);
  const paths = answers.instances(PROFILES).map((instance) => `${PROFILES}${instance}.`);
  return paths.find((path) => answers.get(`${path}Name`) === PROFILE_NAME);
}

async function forceCollection(session: Session, profile: string): Promise<CommandAnswer> {
  const command = { command: `${profile}ForceCollection()`, commandKey: '', inputArgs: new Map<string, string>() };
  return answerOf(await session.ask<'operate'>({ type: 'operate', sendResp: true, ...command }));
}
