import type { FileFormat } from '@highline/contract';
import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ActionButton, IconButton } from '../ui/ActionButton.tsx';
import { type Language, useLanguage } from '../ui/language.ts';
import type { ListQuery, ListSpec } from '../ui/list/spec.ts';
import { listPreferences } from '../ui/preferences.ts';
import { type Column, fileColumns } from '../ui/table/column.ts';
import { saveFile } from './download.ts';
import { useAction } from './useAction.ts';

/** A list whose file has its visible columns. */
export interface FileList {
  /** Where the shown columns are stored. */
  readonly id: string;
  readonly columns: readonly Pick<Column<never>, 'id' | 'pinned' | 'optional'>[];
  /** Ids of columns that the file can have. */
  readonly known: readonly string[];
}

/** The visible columns of a list at this moment, as a call for its file names them. */
export function visibleColumns(list: FileList | undefined): string | undefined {
  if (list === undefined) return undefined;
  const named = fileColumns(list.columns, listPreferences(list.id), list.known);
  return named === '' ? undefined : named;
}

/** What the call for the file of a list has besides the filters and the order of the list. */
interface FileOptions {
  readonly language: Language;
  readonly columns: string | undefined;
  /** Ids of the selected rows; undefined = all that match. */
  readonly only?: string | undefined;
  readonly format?: FileFormat | undefined;
}

/** The file of a list, as the server makes it: of all rows, or of those that are selected. */
export interface ListFile<Spec extends ListSpec> {
  /** With its ending: 'Devices_export.csv'. */
  readonly name: string;
  readonly columns: FileList;
  /** @param query with the filters and the order of the list; with `only`, without filters: they may hide selected rows */
  readonly fetch: (query: ListQuery<Spec> & FileOptions) => Promise<Blob>;
}

export interface DownloadButtonProps {
  /** With its ending: 'Devices_export.csv'. */
  readonly fileName: string;
  /** @param columns the visible columns of `list`, for the call; undefined without a list */
  readonly fetchFile: (language: Language, columns: string | undefined, format: FileFormat) => Promise<Blob>;
  /** The list whose visible columns the file has (BLK-05). */
  readonly list?: FileList;
  /** Instead of 'Download(.csv)'. */
  readonly label?: string;
  /** The file is also there as an Excel workbook. */
  readonly hasWorkbook?: boolean;
  /** Why there is no file. */
  readonly disabledReason?: string | undefined;
}

/** Download(.csv): the list as filtered and sorted on the screen (SHR-08), or as a workbook. */
export function DownloadButton({
  fileName,
  fetchFile,
  list,
  label,
  hasWorkbook = false,
  disabledReason,
}: DownloadButtonProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const download = useAction<FileFormat, Blob>({
    run: (format) => fetchFile(language, visibleColumns(list), format),
    onDone: (file, format) => saveFile(file, format === 'csv' ? fileName : fileName.replace(/\.csv$/u, `.${format}`)),
  });
  return (
    <>
      <ActionButton
        icon={<IconDownload size={16} />}
        loading={download.busy}
        disabledReason={disabledReason}
        onClick={() => download.run('csv')}
      >
        {label ?? t('ui.download')}
      </ActionButton>
      {hasWorkbook && (
        <IconButton
          label={t('ui.downloadWorkbook')}
          icon={<IconFileSpreadsheet size={18} />}
          onClick={() => !download.busy && download.run('xlsx')}
        />
      )}
    </>
  );
}
