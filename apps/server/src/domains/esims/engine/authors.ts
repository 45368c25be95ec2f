import type { Right } from '@highline/contract';
import type { Actor } from '../../../kernel/scope.ts';
import { isUseWaiting } from '../lineup.ts';
import { findUseRight, type UseAuthor } from '../use-author.ts';
import type { EsimWork } from './facts.ts';

export interface AuthorDeps {
  /** Whether who requested a switch may do so now (decisions/0092); limited people may switch no router. */
  readonly mayAct: (actor: Actor, right: Right) => Promise<boolean>;
}

/**
 * Whether the authors of switches that could begin may still request them; each is looked up once.
 * @returns for a router as it is locked; undefined = someone else has requested a switch meanwhile
 */
export async function examineAuthors(
  { mayAct }: AuthorDeps,
  works: readonly EsimWork[],
): Promise<(locked: EsimWork) => boolean | undefined> {
  const authors = new Map(works.flatMap((work) => authorOfUse(work) ?? []).map((author) => [JSON.stringify(author), author]));
  const known = new Map<string, boolean>();
  for (const [key, author] of authors) known.set(key, await mayAct(author.actor, findUseRight(author)));
  return (locked) => {
    const author = authorOfUse(locked);
    return author === undefined || known.get(JSON.stringify(author));
  };
}

/** The author of the switch that could begin; undefined = there is none. */
function authorOfUse({ isOnline, isHeldElsewhere, rows }: EsimWork): UseAuthor | undefined {
  if (!isOnline || isHeldElsewhere) return undefined;
  return rows.find((row) => isUseWaiting(row))?.useAuthor ?? undefined;
}
