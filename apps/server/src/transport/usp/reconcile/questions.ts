import { Responses } from '../responses.ts';
import type { Session } from '../session.ts';

/**
 * Read many paths with one Get. If an agent rejects it as a whole (too large, or one path it cannot parse), split it in halves
 * and retry, so that one bad path affects only itself.
 * @throws NoResponse
 */
export async function readAll(
  session: Session,
  paths: readonly string[],
  timeoutMs?: number,
  responses = new Responses(),
): Promise<Responses> {
  const response = await session.ask<'get'>({ type: 'get', paramPaths: [...paths], maxDepth: 0 }, timeoutMs);
  if (response.type === 'get_resp') responses.add(response.reqPathResults);
  else if (paths.length > 1) {
    const middle = Math.ceil(paths.length / 2);
    await readAll(session, paths.slice(0, middle), timeoutMs, responses);
    await readAll(session, paths.slice(middle), timeoutMs, responses);
  } else for (const path of paths) responses.rejected(path, response.errCode);
  return responses;
}
