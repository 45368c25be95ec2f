import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useCallback, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from '#i18n';
import { withMessages } from '../../i18n/i18n.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { createKeyQueue } from '../../ui/key-queue.ts';
import type { PaletteResultsProps } from './palette/PaletteResults.tsx';
import { composes, useSearchInput } from '../../ui/composition.ts';
import '../../ui/popup.css';

const load = withMessages(['palette'], () => import('./palette/PaletteResults.tsx'));

const onMac = /mac|iphone|ipad/iu.test(navigator.userAgent);

/** Keys that choose among the results; all others are for the field. */
const forResults: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Enter']);

/** The results, loaded when they are first needed; after a failed attempt the next one is made when the palette opens again. */
function useResults() {
  const [Results, setResults] = useState<ComponentType<PaletteResultsProps>>();
  const [failed, setFailed] = useState(false);
  const start = useCallback(() => {
    setFailed(false);
    load().then(
      ({ PaletteResults }) => setResults(() => PaletteResults),
      () => setFailed(true),
    );
  }, []);
  return { Results, failed, start };
}

/** The field is part of the first load, so no key that follows ⌘K is lost; the results are not (BLK-04). */
function Palette({ results, onClose }: { results: ReturnType<typeof useResults>; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { Results, failed } = results;
  const id = useId();
  const { searched, input } = useSearchInput();
  const [active, setActive] = useState<string>();
  const keys = useMemo(() => createKeyQueue(), []);
  return (
    <Dialog title={t('shell.palette.open')} wide top onClose={onClose}>
      <div className="options">
        <input
          className="options__search"
          role="combobox"
          aria-label={t('shell.palette.open')}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active}
          aria-autocomplete="list"
          placeholder={t('shell.palette.open')}
          maxLength={100}
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is opened to type into it
          autoFocus
          {...input}
          onKeyDown={(event) => {
            // While an input method composes, its keys are its own.
            if (!forResults.has(event.key) || composes(event.nativeEvent)) return;
            event.preventDefault();
            keys.press(event.key);
          }}
        />
        {Results !== undefined && <Results id={id} text={searched} keys={keys} onActive={setActive} onClose={onClose} />}
        {Results === undefined && (
          <>
            <div id={id} role="listbox" aria-label={t('shell.palette.open')} aria-busy={!failed} className="options__list" />
            {failed && (
              <div className="options__none" role="alert">
                {t('errors.network')}
              </div>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

/** Opens the command palette, by click or by ⌘K / Ctrl-K from anywhere. */
export function PaletteButton(): ReactNode {
  const { t } = useTranslation();
  const results = useResults();
  const [isOpen, setOpen] = useState(false);
  const { start } = results;
  const open = useCallback(() => {
    setOpen(true);
    start();
  }, [start]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Over a question that waits for a response nothing else opens.
      if (document.querySelector('dialog:modal') === null) open();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  return (
    <>
      <button
        type="button"
        className="find"
        aria-label={t('shell.palette.open')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        <IconSearch size={16} />
        <span className="find__text">{t('shell.palette.open')}</span>
        <kbd className="kbd mark" data-mark={onMac ? '⌘K' : 'Ctrl K'} />
      </button>
      {isOpen && <Palette results={results} onClose={() => setOpen(false)} />}
    </>
  );
}
