import type { TFunction } from 'i18next';
import { Fragment, type ReactNode } from 'react';
import { StatusDot } from '../../ui/StatusDot.tsx';
import type { Column } from '../../ui/table/column.ts';
import { formatNumber } from '../../ui/time/format.ts';
import { DateTime } from '../../ui/time/RelativeTime.tsx';
import type { Firmware } from './firmware.api.ts';
import { cutVersion, formatSize, noteLines } from './firmware.ts';

function Notes({ note }: { note: string }): ReactNode {
  if (note === '') return <span className="dim">--</span>;
  return (
    <span className="firmware-notes">
      {noteLines(note).map((line, at) => (
        // Lines have no identity but their place.
        <Fragment key={at}>
          {at > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </span>
  );
}

/** The columns of every firmware list (FWR-01). */
export function firmwareColumns(t: TFunction): readonly Column<Firmware>[] {
  return [
    { id: 'number', header: '#', width: 56, numeric: true, cell: (_, number) => formatNumber(number) },
    {
      id: 'version',
      header: t('firmware.column.version'),
      text: ({ version }) => version,
      width: 180,
      sort: 'version',
      pinned: true,
      phone: 'title',
      cell: ({ version }) => (
        <span className="strong" title={version}>
          {cutVersion(version)}
        </span>
      ),
    },
    {
      id: 'notes',
      header: t('firmware.column.notes'),
      text: ({ note }) => note,
      width: 320,
      grow: true,
      wrap: true,
      cell: ({ note }) => <Notes note={note} />,
    },
    {
      id: 'size',
      phone: 'aside',
      header: t('firmware.column.size'),
      text: ({ size }) => formatSize(size),
      width: 110,
      sort: 'size',
      numeric: true,
    },
    {
      id: 'released',
      phone: 'line',
      header: t('firmware.column.released'),
      text: ({ updated }) => updated,
      width: 190,
      sort: 'updated',
      cell: ({ updated }) => <DateTime moment={updated} />,
    },
    {
      id: 'model',
      phone: 'line',
      header: t('firmware.column.model'),
      text: ({ profile }) => profile,
      width: 150,
      sort: 'profile',
    },
    {
      id: 'check',
      phone: 'line',
      header: t('firmware.column.check'),
      text: ({ signedBy }) => (signedBy === null ? t('firmware.unsigned') : t('firmware.signed')),
      // Nearly all are signed: only the exception is marked.
      cell: ({ signedBy }) =>
        signedBy === null ? (
          <StatusDot tone="warn">{t('firmware.unsigned')}</StatusDot>
        ) : (
          <span className="dim">{t('firmware.signed')}</span>
        ),
    },
  ];
}
