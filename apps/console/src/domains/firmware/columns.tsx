import type { TFunction } from 'i18next';
import { Fragment, type ReactNode } from 'react';
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
    { id: 'number', header: '#', numeric: true, cell: (_, number) => formatNumber(number) },
    {
      id: 'version',
      header: t('firmware.column.version'),
      sort: 'version',
      pinned: true,
      cell: ({ version }) => (
        <span className="strong" title={version}>
          {cutVersion(version)}
        </span>
      ),
    },
    { id: 'notes', header: t('firmware.column.notes'), cell: ({ note }) => <Notes note={note} /> },
    { id: 'size', header: t('firmware.column.size'), sort: 'size', numeric: true, cell: ({ size }) => formatSize(size) },
    {
      id: 'released',
      header: t('firmware.column.released'),
      sort: 'updated',
      cell: ({ updated }) => <DateTime moment={updated} />,
    },
    { id: 'model', header: t('firmware.column.model'), sort: 'profile', cell: ({ profile }) => profile },
    {
      id: 'check',
      header: t('firmware.column.check'),
      cell: ({ signedBy }) => (signedBy === null ? t('firmware.unsigned') : t('firmware.signed')),
    },
  ];
}
