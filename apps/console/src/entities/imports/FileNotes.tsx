import type { DateOrder, deviceAdding, TextEncodingName } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect } from '../../ui/controls/TextInput.tsx';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { ApiError } from '../../api/errors.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useLanguage } from '../../ui/language.ts';
import './imports.css';

/** Files that are imported. */
export const TABLE_ENDINGS = ['.csv', '.tsv', '.xlsx'] as const;

/** How a file is to be read, as far as the person chose it. */
export interface FileReading {
  readonly encoding?: TextEncodingName;
  readonly dates?: DateOrder;
}

/** Encodings that no byte of a file can prove. */
const choices = ['windows-1252', 'windows-1250', 'macintosh', 'big5', 'utf-8'] as const satisfies readonly TextEncodingName[];

export interface FileNotesProps {
  readonly file: deviceAdding.ImportedFile;
  readonly dates?: readonly (deviceAdding.AmbiguousDates & { readonly order: DateOrder })[] | undefined;
  /** The encoding can still be chosen, and the file is read again. */
  readonly onEncoding?: ((encoding: TextEncodingName) => void) | undefined;
}

/** How a file was read: its encoding if it is not certain, the order of its dates, and the columns that are ignored. */
export function FileNotes({ file, dates = [], onEncoding }: FileNotesProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const { encoding, encodingAssumed, ignored } = file;
  const isOld = encoding !== undefined && !encoding.startsWith('utf-');
  if (!isOld && dates.length === 0 && ignored.length === 0) return null;
  return (
    <div className="file-notes">
      {isOld && (
        <div className="note note--warn">
          <IconAlertTriangle size={18} />
          <div>
            <p>{t(encodingAssumed === true ? 'deviceForms.read.assumed' : 'deviceForms.read.chosen', { encoding })}</p>
            {onEncoding !== undefined && (
              <NativeSelect
                label={t('deviceForms.read.encoding')}
                value={encoding}
                data={choices.map((value) => ({ value, label: t(`deviceForms.read.name.${value}`) }))}
                onChange={({ currentTarget }) => onEncoding(currentTarget.value as TextEncodingName)}
              />
            )}
          </div>
        </div>
      )}
      {dates.map(({ column, example, order, readings }) => (
        <p key={column}>{t('deviceForms.read.dates', { column, example, day: dayText(readings[order]) })}</p>
      ))}
      {ignored.length > 0 && <p className="dim">{t('deviceForms.read.ignored', { columns: ignored.join(t('ui.between')) })}</p>}
    </div>
  );
}

/** A day with the name of its month, which cannot be read in two ways. */
function useDayText(): (iso: string) => string {
  const format = new Intl.DateTimeFormat(useLanguage(), { dateStyle: 'long', timeZone: 'UTC' });
  return (iso) => format.format(new Date(`${iso}T00:00:00Z`));
}

/** The dates of a rejected file that could be read in two ways; undefined for another failure. */
export function ambiguousDatesOf(error: unknown): readonly deviceAdding.AmbiguousDates[] | undefined {
  if (!(error instanceof ApiError) || error.key !== 'csv.dates_ambiguous') return undefined;
  return (error.detail as { dates?: readonly deviceAdding.AmbiguousDates[] } | undefined)?.dates;
}

export interface DatesDialogProps {
  readonly dates: readonly deviceAdding.AmbiguousDates[];
  readonly onChoose: (order: DateOrder) => void;
  readonly onClose: () => void;
}

/** Asks which part of the dates is the day, with the first of them read both ways. */
export function DatesDialog({ dates, onChoose, onClose }: DatesDialogProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const [first] = dates;
  if (first === undefined) return null;
  const { column, example, readings } = first;
  return (
    <Dialog
      title={t('deviceForms.read.ask')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          {(['mdy', 'dmy'] as const).map((order) => (
            <Button key={order} variant="filled" onClick={() => onChoose(order)}>
              {dayText(readings[order])}
            </Button>
          ))}
        </>
      }
    >
      <p>{t('deviceForms.read.either', { column, example })}</p>
    </Dialog>
  );
}
