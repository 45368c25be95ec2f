import { identifierCell, safeCell, timeIn, type CsvColumn } from '../../platform/csv/index.ts';
import { importColumns } from './esims.import.ts';
import { profileExportMessages, type ExportLanguage } from './profile.export.messages.ts';
import type { ProfileRow } from './profile.dto.ts';

/**
 * The columns of eSIMs_export, as the list shows them (SIM-01, SIM-02, SHR-08). Without activation codes, because files are
 * passed on.
 */
export function profileExportColumns(language: ExportLanguage): CsvColumn<ProfileRow>[] {
  const messages = profileExportMessages[language];
  const at = timeIn('UTC');
  return [
    { title: messages.number, cell: (_, index) => String(index + 1) },
    { title: messages.status, cell: (row) => messages.statuses[row.status] },
    { title: messages.serial, cell: (row) => identifierCell(row.serial) },
    { title: 'EID', cell: (row) => identifierCell(row.eid) },
    { title: messages.name, cell: (row) => safeCell(row.name) },
    { title: messages.carrier, cell: (row) => safeCell(row.carrier) },
    { title: 'ICCID', cell: (row) => identifierCell(row.iccid) },
    { title: 'APN 1', cell: (row) => safeCell(row.apn) },
    { title: 'APN 2', cell: (row) => safeCell(row.apn2) },
    { title: messages.priority, cell: (row) => String(row.priority) },
    { title: messages.updated, cell: (row) => at(row.updated_at) },
  ];
}

/** The columns of the template: those of an import (SIM-04). */
export function exampleColumns(): CsvColumn<Record<keyof typeof importColumns, string>>[] {
  return Object.entries(importColumns).map(([column, title]) => ({
    title,
    cell: (row) => identifierCell(row[column as keyof typeof importColumns]),
  }));
}

/** A router for the rows of the example. */
export interface ExampleRouter {
  readonly serial: string;
  readonly eid: string;
}

/** The template's rows, about routers of the organization where it has any (two at most), so that they can be imported after an edit. */
export function exampleRowsOf(routers: readonly ExampleRouter[]): Record<keyof typeof importColumns, string>[] {
  return exampleRows.map((row, index) => ({ ...row, ...(routers[index] ?? routers[0]) }));
}

/** A preloaded profile and another one, with numbers that no network has. */
const exampleRows: readonly Record<keyof typeof importColumns, string>[] = [
  {
    serial: 'SN0001',
    eid: '89049099990000000000000000000104',
    ac: 'preload',
    iccid: '89999990000000000014',
    apn1: 'internet',
    apn2: '',
    name: 'preloaded_eSIM',
  },
  {
    serial: 'SN0001',
    eid: '89049099990000000000000000000104',
    ac: '1$smdp.example.com$MATCHING-ID',
    iccid: '89999990000000000022',
    apn1: 'fleet.example',
    apn2: '',
    name: 'Second carrier',
  },
];
