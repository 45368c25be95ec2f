import type { Rejection } from '@highline/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DateTime } from '../../ui/time/RelativeTime.tsx';

/** The last rejected connection of a router: when, from where, why, and how to fix it. */
export function RejectionNote({ rejection }: { rejection: Rejection }): ReactNode {
  const { t } = useTranslation();
  const { at, reason, received, expected, address } = rejection;
  const values = { received: received ?? '--', expected: expected ?? '--' };
  return (
    <div className="note note--warn" role="status">
      <IconPlugConnectedX size={18} />
      <div className="rejection">
        <strong>{t('deviceForms.rejection.title')}</strong>
        <p>
          <DateTime moment={at} /> · {address}
        </p>
        <p>{t(`deviceForms.rejection.reason.${reason}`, values)}</p>
        <p>{t(`deviceForms.rejection.todo.${reason}`, values)}</p>
      </div>
    </div>
  );
}
