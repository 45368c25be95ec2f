import { areaOf, limitedOperations } from '@highline/contract';
import { useTranslation } from '#i18n';
import { useRoleFor, useSession } from './session.ts';

/**
 * Why the signed-in user may not make a call of admins; undefined = it is allowed.
 * @param id of the operation: the browser has no other facts of it than how it is sent
 * @param byRole the reason where the role does not allow it
 */
export function useNotAllowed(id: string, byRole: string): string | undefined {
  const { t } = useTranslation();
  const { role, limitedTo } = useSession();
  const shownRole = useRoleFor(areaOf(id));
  if (role === 'admin' && limitedTo !== null && !limitedOperations.has(id)) return t('errors.permission_limited');
  return shownRole === 'admin' ? undefined : byRole;
}
