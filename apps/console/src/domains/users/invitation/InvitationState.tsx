import type { accounts } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ageOf, formatDateTime, instantOf } from '../../../ui/time/format.ts';
import { useNow } from '../../../ui/time/now.ts';
import { ageText } from '../../../ui/time/RelativeTime.tsx';
import { useZone } from '../../../ui/time/zone.ts';

/** When an invitation was sent, and whether its link is still good; the exact time shows on hover. */
export function InvitationState({ invitation }: { invitation: accounts.OpenInvitation }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const now = useNow();
  const sent = instantOf(invitation.sent);
  const expires = instantOf(invitation.expires);
  if (sent === undefined || expires === undefined) return <span>{t('users.invitation.past')}</span>;
  const ago = ageText(ageOf(sent, now), t);
  return (
    <time dateTime={sent.toISOString()} title={`${formatDateTime(sent, zone)} ${zone}`}>
      {t(now < expires ? 'users.invitation.open' : 'users.invitation.expired', { ago })}
    </time>
  );
}
