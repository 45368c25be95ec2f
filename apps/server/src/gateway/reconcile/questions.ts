import { Answers } from '../mapping/index.ts';
import type { Session } from '../session.ts';

/**
 * Read many paths with one Get. An agent that refuses it as a whole (too much at once, or one path that it cannot even parse) is
 * asked for one half and then the other, so that one path costs only itself.
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
  } else for (const path of paths) answers.refused(path, response.errCode);
  return answers;
}
