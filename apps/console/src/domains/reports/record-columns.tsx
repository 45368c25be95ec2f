import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import type { Column } from '../../ui/table/column.ts';
import { measuredIn, useTemperatureUnit } from '../../ui/units.ts';
import { propertyName, valueText } from './property.ts';
import { formatReportTime } from './range.ts';
import type { CollectedRecord, Property } from './reports.api.ts';

/** The value in the person's units, with that of files and calls as its title. */
function ReportedText({ record, unit }: { record: CollectedRecord; unit: string }): ReactNode {
  const { t } = useTranslation();
  const temperatures = useTemperatureUnit();
  const raw = record.field_value;
  const shown = typeof raw === 'number' ? measuredIn(temperatures, raw, unit) : { value: raw, unit };
  return <span title={String(raw)}>{valueText({ ...record, field_value: shown.value }, shown.unit, t)}</span>;
}

/** Columns of RPT-02. */
export function recordColumns(t: TFunction, zone: string, properties: readonly Property[]): readonly Column<CollectedRecord>[] {
  const units = new Map(properties.map(({ property_id, unit }) => [property_id, unit]));
  return [
    {
      id: 'device',
      header: t('reports.column.device'),
      pinned: true,
      phone: 'title',
      width: 240,
      cell: ({ device, device_name }) => (
        <Link className="strong" to="/devices/setting" search={{ device }}>
          {device_name}
        </Link>
      ),
    },
    { id: 'type', header: t('reports.column.type'), width: 130, cell: ({ device_type }) => device_type },
    { id: 'group', header: t('reports.column.group'), width: 200, cell: ({ group_name }) => group_name },
    { id: 'udid', header: t('reports.column.udid'), width: 300, cell: ({ udid }) => <span className="mono">{udid}</span> },
    {
      id: 'property',
      phone: 'line',
      header: t('reports.column.property'),
      width: 190,
      cell: ({ field, field_name }) => propertyName(field, field_name, t),
    },
    {
      id: 'date',
      phone: 'line',
      header: t('reports.column.date'),
      width: 190,
      cell: ({ on }) => (
        <time dateTime={new Date(on).toISOString()} title={zone}>
          {formatReportTime(on, zone)}
        </time>
      ),
    },
    {
      id: 'value',
      phone: 'aside',
      header: t('reports.column.value'),
      width: 150,
      numeric: true,
      cell: (record) => <ReportedText record={record} unit={units.get(record.field) ?? ''} />,
    },
  ];
}
