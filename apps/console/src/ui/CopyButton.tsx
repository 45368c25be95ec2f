import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { useTranslation } from '#i18n';
import { copyText } from './copy-text.ts';
import { SecretsKept } from './secrets-kept.ts';
import { RowName } from './table/row-name.ts';
import './status.css';

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
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const copy = async (button: HTMLElement) => {
    const isCopied = await copyText(text, button);
    setOutcome(isCopied ? 'copied' : 'failed');
    if (isCopied) onKept(text);
  };
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), outcome === 'copied' ? 1500 : 5000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const said = outcome === undefined ? undefined : t(outcome === 'copied' ? 'ui.copied' : 'ui.copyFailed');
  return (
    <span className={shown ? 'copy copy--shown' : 'copy'}>
      {children}
      <button
        type="button"
        className="copy__button"
        aria-label={said ?? name}
        title={said ?? t('ui.copy', { what: label })}
        onClick={(event) => {
          event.stopPropagation();
          void copy(event.currentTarget);
        }}
      >
        {outcome === undefined && <IconCopy size={15} />}
        {outcome === 'copied' && <IconCheck size={15} />}
        {outcome === 'failed' && <IconX size={15} />}
      </button>
    </span>
  );
}
