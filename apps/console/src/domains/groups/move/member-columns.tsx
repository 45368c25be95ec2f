import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { connectionOf, presenceTones } from '../../../entities/devices/device.ts';
import { vehicleName } from '../../../entities/devices/vehicle-name.ts';
import { StatusDot } from '../../../ui/StatusDot.tsx';
import type { Column } from '../../../ui/table/column.ts';
import type { Member } from './members.api.ts';

interface StatusProps {
  readonly member: Member;
  readonly moving: boolean;
  readonly pool: boolean;
  readonly onUndo: ((member: Member) => void) | undefined;
}

function Status({ member, moving, pool, onUndo }: StatusProps): ReactNode {
  const { t } = useTranslation();
  if (moving)
    return (
      <span className="move__moving">
        <StatusDot tone="busy">{t('groups.move.moving')}</StatusDot>
        {onUndo !== undefined && (
          <button
            type="button"
            className="link"
            aria-label={t('groups.move.undoOf', { serial: member.serial_number })}
            onClick={() => onUndo(member)}
          >
            {t('groups.move.undo')}
          </button>
        )}
      </span>
    );
  if (pool && !member.movable) return <span className="dim">{t('devices.service.not-subscribed')}</span>;
  const connection = connectionOf(member);
  return <StatusDot tone={presenceTones[connection]}>{t(`devices.presence.${connection}`)}</StatusDot>;
}

export function useColumns(
  moving: (member: Member) => boolean,
  pool: boolean,
  onUndo: ((member: Member) => void) | undefined,
): readonly Column<Member>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'serial',
      header: t('groups.move.column.serial'),
      width: 150,
      sort: 'serial',
      pinned: true,
      phone: 'line',
      phoneCell: ({ serial_number: serial, vehicle_number: vehicle }) => (vehicle === '' ? '' : serial),
      cell: (member) => <span className="mono strong">{member.serial_number}</span>,
    },
    {
      id: 'presence',
      phone: 'state',
      header: t('groups.move.column.presence'),
      width: 200,
      cell: (member) => <Status member={member} moving={moving(member)} pool={pool} onUndo={onUndo} />,
    },
    {
      id: 'vehicle',
      phone: 'title',
      phoneCell: vehicleName,
      header: t('groups.move.column.vehicle'),
      sort: 'vehicle',
      width: 120,
      cell: (member) => member.vehicle_number,
    },
    {
      id: 'model',
      header: t('groups.move.column.model'),
      width: 120,
      cell: (member) => member.model ?? <span className="dim">--</span>,
    },
  ];
}
