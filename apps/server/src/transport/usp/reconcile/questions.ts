import { Answers } from '../answers.ts';
import type { Session } from '../session.ts';

/**
 * Read many paths with one Get. If an agent rejects it as a whole (too large, or one path it cannot parse), split it in halves
 * and retry, so that one bad path affects only itself.
 * @throws NoAnswer
 */
export async function readAll(
  session: Session,
  paths: readonly string[],
  timeoutMs?: number,
  answers = new Answers(),
): Promise<Answers> {
  const response = await session.ask<'get'>({ type: 'get', paramPaths: [...paths], maxDepth: 0 }, timeoutMs);
  if (response.type === 'get_resp') answers.add(response.reqPathResults);
  else if (paths.length > 1) {
    const middle = Math.ceil(paths.length / 2);
    await readAll(session, paths.slice(0, middle), timeoutMs, answers);
    await readAll(session, paths.slice(middle), timeoutMs, answers);
  } else for (const path of paths) answers.rejected(path, response.errCode);
  return answers;
}
