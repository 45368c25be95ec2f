import { positions } from '@highline/contract';
import { IconMapPinOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { useZone } from '../../../ui/time/zone.ts';
import type { Trail } from './trail.api.ts';

/** Positions that came and were rejected, or stored with another time: how many, since when, why, what came, and how to fix it. */
export function PositionFaults({ faults }: Pick<Trail, 'faults'>): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  return faults.map(({ reason, count, since, received }) => {
    const kind = positions.positionRejections.some((each) => each === reason) ? 'rejected' : 'corrected';
    const values = { count, shown: formatNumber(count), since: formatDateTime(since, zone), why: t(`trail.fault.why.${reason}`) };
    return (
      <div key={reason} className="note note--warn" role="status">
        <IconMapPinOff size={18} />
        <div className="rejection">
          <strong>{t(`trail.fault.${kind}`, values)}</strong>
          {received !== null && <p>{t('trail.fault.received', { received })}</p>}
          <p>{t(`trail.fault.todo.${reason}`)}</p>
        </div>
      </div>
    );
  });
}
