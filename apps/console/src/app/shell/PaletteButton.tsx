import { IconSearch } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }));

const onMac = /mac|iphone|ipad/iu.test(navigator.userAgent);

/** Opens the command palette, by click or by ⌘K / Ctrl-K from anywhere. */
export function PaletteButton(): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Over a question that waits for an answer nothing else opens.
      if (document.querySelector('dialog:modal') === null) setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className="find"
        aria-label={t('shell.palette.open')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <IconSearch size={16} />
        <span className="find__text">{t('shell.palette.open')}</span>
        <kbd className="kbd mark" data-mark={onMac ? '⌘K' : 'Ctrl K'} />
      </button>
      {open && (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
