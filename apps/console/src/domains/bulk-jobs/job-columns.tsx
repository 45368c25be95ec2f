import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { JobItem } from '../../entities/jobs/bulk-jobs.api.ts';
import { reasonText } from '../../entities/jobs/job.ts';
import type { Column } from '../../ui/table/column.ts';

/** Rows of other lists have a name, devices their serial number and vehicle. */
function nameColumns(t: TFunction, isOfRows: boolean): readonly Column<JobItem>[] {
  if (isOfRows) {
    const name = ({ row }: JobItem) => row?.name ?? '';
    return [{ id: 'name', header: t('bulkJobs.column.name'), text: name, width: 320, pinned: true }];
  }
  return [
    {
      id: 'serial',
      header: t('devices.column.serial'),
      text: (item) => item.serial_number,
      width: 190,
      pinned: true,
      cell: (item) => (
        <Link to="/devices/setting" search={{ device: item.device }} className="mono">
          {item.serial_number}
        </Link>
      ),
    },
    {
      id: 'vehicle',
      header: t('devices.column.vehicle'),
      text: (item) => item.vehicle_number,
      width: 220,
    },
  ];
}

export function itemColumns(t: TFunction, isOfRows: boolean): readonly Column<JobItem>[] {
  return [
    ...nameColumns(t, isOfRows),
    {
      id: 'state',
      header: t('bulkJobs.column.state'),
      text: (item) => t(`bulkJobs.item.${item.state}`),
      width: 130,
      cell: (item) => (
        <span className="job-state" data-state={item.state}>
          {t(`bulkJobs.item.${item.state}`)}
        </span>
      ),
    },
    {
      id: 'reason',
      header: t('bulkJobs.column.reason'),
      text: (item) => reasonText(t, item),
      width: 460,
    },
  ];
}
