import { accounts } from '@highline/contract';
import { useTranslation } from '#i18n';
import { call } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';

/** Groups of which people are looked up. */
const MOST_IDS = 50;
/** People that the question names. */
const NAMED = 10;

/** Loads who sees nothing any more once groups are deleted: a sentence for the question, for those who may know other people (IAM-03, IAM-04, IAM-05). */
export function useBlind(): (keys: string[]) => Promise<string[]> {
  const { t } = useTranslation();
  const { role, ownRole, limitedTo, visit } = useSession();
  return async (keys) => {
    if (role !== 'admin' || ownRole !== null || limitedTo !== null || visit !== null) return [];
    const query = { seesOnly: keys.slice(0, MOST_IDS).join(','), limit: NAMED, offset: 0 };
    const { result, total } = await call(accounts.listAccounts, { query });
    const count = total ?? result.list.length;
    if (count === 0) return [];
    const named = result.list.map(({ name, email }) => name || email);
    const listed = named.join(t('ui.between'));
    const rest = count - named.length;
    const names = rest > 0 ? t('groups.remove.blindNames', { names: listed, rest }) : listed;
    return [t('groups.remove.blind', { count, names })];
  };
}
