import { isWithinRights, limitedOperations, mayVisitorCall } from '@highline/contract';
import { useTranslation } from '#i18n';
import { useSession } from './session.ts';

/**
 * Tells why the signed-in user may not make a call that changes something, whose role users do not have; undefined = it is allowed.
 * @param id of the operation: the browser has no other facts of it than how it is sent
 * @param byRole the reason for a user
 */
export function useReason(): (id: string, byRole?: string) => string | undefined {
  const { t } = useTranslation();
  const { role, ownRole, limitedTo, visit } = useSession();
  return (id, byRole = t('errors.permission_denied')) => {
    if (role === 'user') return byRole;
    if (visit !== null && !mayVisitorCall(id, visit.atHome)) return t('errors.permission_visitor');
    if (ownRole !== null && !isWithinRights(ownRole.rights, { id, method: 'POST', roles: [] }))
      return t('errors.permission_own_role');
    return limitedTo !== null && !limitedOperations.has(id) ? t('errors.permission_limited') : undefined;
  };
}

/** The reason of `useReason` for one call. */
export function useNotAllowed(id: string, byRole?: string): string | undefined {
  return useReason()(id, byRole);
}
