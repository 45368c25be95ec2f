import { isWithinRights, limitedOperations, type Right } from '@highline/contract';
import { useTranslation } from '#i18n';
import { useSession } from './session.ts';

/** Why the signed-in user may not make a call; undefined = it is allowed. @param byRole the reason where the role does not allow it */
export function useNotAllowed(call: Right, byRole: string): string | undefined {
  const { t } = useTranslation();
  const { role, ownRole, limitedTo } = useSession();
  if (!call.roles.includes(role) || (ownRole !== null && !isWithinRights(ownRole.rights, call))) return byRole;
  return limitedTo !== null && !limitedOperations.has(call.id) ? t('errors.permission_limited') : undefined;
}
