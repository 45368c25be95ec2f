import { rejectionsOfOpen, type Rejection } from '@highline/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { DateTime } from '../../ui/time/RelativeTime.tsx';

/** What happened: an attempt to connect that was rejected or that the router ended itself, one in addition to the connection that the router has, the end of a connection, or two with one identity. */
function titleOf({ reason, isOther }: Rejection) {
  if (reason === 'no-record') return 'unfinishedTitle';
  if (isOther) return 'otherTitle';
  if (reason === 'identity-shared' || reason === 'serial-mismatch') return 'identityTitle';
  return rejectionsOfOpen.some((each) => each === reason) ? 'endedTitle' : 'title';
}

/** The last rejected connection of a router: when, from where, why, and how to fix it. */
export function RejectionNote({ rejection }: { rejection: Rejection }): ReactNode {
  const { t } = useTranslation();
  const { at, reason, received, expected, address, isOther } = rejection;
  const values = { received: received ?? '--', expected: expected ?? '--' };
  return (
    <div className="note note--warn" role="status">
      <IconPlugConnectedX size={18} />
      <div className="rejection">
        <strong>{t(`deviceForms.rejection.${titleOf(rejection)}`)}</strong>
        <p>
          <DateTime moment={at} /> · {address}
        </p>
        <p>{t(`deviceForms.rejection.reason.${reason}`, values)}</p>
        <p>{t(`deviceForms.rejection.todo.${reason}`, values)}</p>
        {isOther && <p>{t('deviceForms.rejection.otherHint')}</p>}
      </div>
    </div>
  );
}
