import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SecretsKept } from './secrets-kept.ts';
import { RowName } from './table/row-name.ts';
import './status.css';

/** Copying needs a secure page; on plain http the old way still works. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

export interface CopyableProps {
  /** The text for the clipboard. */
  readonly text: string;
  /** What is copied, for the button's name: 'Copy serial number'. */
  readonly label: string;
  readonly children?: ReactNode;
  /** The button shows always, not only on hover and focus. */
  readonly shown?: boolean;
}

/** A value with a button that copies it; in tables the button appears on hover and on focus. */
export function Copyable({ text, label, children, shown = false }: CopyableProps): ReactNode {
  const { t } = useTranslation();
  const row = useContext(RowName);
  const name = row === undefined || row === text ? t('ui.copy', { what: label }) : t('ui.copyOf', { what: label, row });
  const onKept = useContext(SecretsKept);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    onKept(text);
  };
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <span className={shown ? 'copy copy--shown' : 'copy'}>
      {children}
      <button
        type="button"
        className="copy__button"
        aria-label={copied ? t('ui.copied') : name}
        title={copied ? t('ui.copied') : t('ui.copy', { what: label })}
        onClick={(event) => {
          event.stopPropagation();
          void copy();
        }}
      >
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </button>
    </span>
  );
}
