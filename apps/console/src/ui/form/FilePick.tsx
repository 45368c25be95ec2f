import { Button } from '../controls/Button.tsx';
import { IconUpload, IconX } from '@tabler/icons-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../ActionButton.tsx';
import './form.css';

export interface FilePickProps {
  readonly label: string;
  /** File extensions with their dot: '.csv'. Another file is rejected with `wrongType`. */
  readonly endings: readonly string[];
  readonly wrongType: string;
  readonly file: File | undefined;
  readonly onPick: (file: File | undefined) => void;
  readonly error?: string | undefined;
}

/** Choose a file with a button or by dropping it. */
export function FilePick({ label, endings, wrongType, file, onPick, error }: FilePickProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [rejection, setRejection] = useState<string>();
  const [over, setOver] = useState(false);
  const problem = rejection ?? error;

  const take = (picked: File | undefined) => {
    if (picked === undefined) return;
    const fits = endings.some((ending) => picked.name.toLowerCase().endsWith(ending));
    setRejection(fits ? undefined : wrongType);
    onPick(fits ? picked : undefined);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping a file is an alternative to the button
    <div
      className="file-pick"
      role="group"
      aria-labelledby={`${id}-label`}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <span id={`${id}-label`} className="file-pick__label">
        {label}
      </span>
      <input
        ref={input}
        type="file"
        className="unseen"
        tabIndex={-1}
        aria-label={label}
        accept={endings.join(',')}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      <div className="file-pick__row">
        <Button
          leftSection={<IconUpload size={16} />}
          aria-describedby={problem === undefined ? undefined : `${id}-error`}
          onClick={() => input.current?.click()}
        >
          {t('ui.file.choose')}
        </Button>
        {file === undefined ? (
          <span className="dim">{t('ui.file.drop')}</span>
        ) : (
          <>
            <span className="strong">{file.name}</span>
            <IconButton label={t('ui.file.remove')} icon={<IconX size={16} />} onClick={() => onPick(undefined)} />
          </>
        )}
      </div>
      {problem !== undefined && (
        <p id={`${id}-error`} className="bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
