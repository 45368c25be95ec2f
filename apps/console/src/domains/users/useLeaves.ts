import { leaves } from '@highline/contract';
import { useTranslation } from '#i18n';
import { call } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { sentences } from '../../ui/sentences.ts';

/** People that are looked up before they are deleted; of more the question says that. */
const MOST_PEOPLE = 20;

/** What one person leaves; of one who is already gone nothing. */
async function fetchLeaves(id: string): Promise<readonly { readonly kind: leaves.LeftKind; readonly count: number }[]> {
  try {
    return (await call(leaves.listLeaves, { params: { id } })).result.leaves;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** Loads what stops, or is gone, with people who are to be deleted: a text for the question. */
export function useLeaves(): (ids: readonly string[]) => Promise<string> {
  const { t } = useTranslation();
  return async (ids) => {
    const all = await Promise.all(ids.slice(0, MOST_PEOPLE).map(fetchLeaves));
    const counts = new Map<leaves.LeftKind, number>();
    for (const { kind, count } of all.flat()) counts.set(kind, (counts.get(kind) ?? 0) + count);
    const named = leaves.leftKinds.flatMap((kind) => {
      const count = counts.get(kind);
      return count === undefined ? [] : [t(`users.leaves.${kind}`, { count })];
    });
    const rest = ids.length - MOST_PEOPLE;
    return sentences([
      ...(named.length === 0 ? [] : [t('users.leaves.stops', { list: named.join(t('ui.between')) })]),
      ...(rest > 0 ? [t('users.leaves.rest', { count: MOST_PEOPLE })] : []),
    ]);
  };
}
