import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '../ui/ActionButton.tsx';
import { type Language, useLanguage } from '../ui/language.ts';
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

export interface DownloadButtonProps {
  /** With its ending: 'Devices_export.csv'. */
  readonly fileName: string;
  /** @param columns the visible columns of `list`, for the call; undefined without a list */
  readonly fetchFile: (language: Language, columns: string | undefined) => Promise<Blob>;
  /** The list whose visible columns the file has (BLK-05). */
  readonly list?: FileList;
  /** Instead of 'Download(.csv)'. */
  readonly label?: string;
}

/** Download(.csv): the list as filtered and sorted on the screen (SHR-08). */
export function DownloadButton({ fileName, fetchFile, list, label }: DownloadButtonProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const download = useAction<void, Blob>({
    run: () => fetchFile(language, visibleColumns(list)),
    onDone: (file) => saveFile(file, fileName),
  });
  return (
    <ActionButton icon={<IconDownload size={16} />} loading={download.busy} onClick={() => download.run()}>
      {label ?? t('ui.download')}
    </ActionButton>
  );
}
