import { Button } from '../../../ui/controls/Button.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { csvFile, saveFile } from '../../../api/download.ts';
import { Dialog } from '../../../ui/Dialog.tsx';

export interface TemplateDialogProps {
  /** Where it is not the one for devices. */
  readonly title?: string;
  readonly columns: readonly string[];
  /** Rows below the header. */
  readonly examples: readonly (readonly string[])[];
  readonly notes: readonly string[];
  readonly fileName: string;
  readonly onClose: () => void;
}

/** Describes the CSV format and offers a template (DEV-05). */
export function TemplateDialog({ title, columns, examples, notes, fileName, onClose }: TemplateDialogProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Dialog
      title={title ?? t('deviceForms.template.title')}
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onClose}>{t('ui.close')}</Button>
          <Button variant="filled" onClick={() => saveFile(csvFile([columns, ...examples]), fileName)}>
            {t('deviceForms.template.download')}
          </Button>
        </>
      }
    >
      <ul className="template-notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <div className="template-table">
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {examples.map((row) => (
              <tr key={row[0]}>
                {row.map((value) => (
                  <td key={value} className="mono">
                    {value}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
