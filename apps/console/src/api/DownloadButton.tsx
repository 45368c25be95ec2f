import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, useLanguage } from '../ui/language.ts';
import { saveFile } from './download.ts';
import { useAction } from './useAction.ts';

export interface DownloadButtonProps {
  /** With its ending: 'Devices_export.csv'. */
  readonly fileName: string;
  readonly fetchFile: (language: Language) => Promise<Blob>;
  /** Instead of 'Download(.csv)'. */
  readonly label?: string;
}

/** Download(.csv): the list as filtered and sorted on the screen (SHR-08). */
export function DownloadButton({ fileName, fetchFile, label }: DownloadButtonProps): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  const download = useAction<void, Blob>({ run: () => fetchFile(language), onDone: (file) => saveFile(file, fileName) });
  return (
    <Button leftSection={<IconDownload size={16} />} loading={download.busy} onClick={() => download.run()}>
      {label ?? t('ui.download')}
    </Button>
  );
}
