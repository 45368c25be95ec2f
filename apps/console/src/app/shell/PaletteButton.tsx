import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { withMessages } from '../../i18n/i18n.ts';
import { toast } from '../../ui/toasts.ts';

const load = withMessages([], () => import('./CommandPalette.tsx'));

const onMac = /mac|iphone|ipad/iu.test(navigator.userAgent);

/** Opens the command palette, by click or by ⌘K / Ctrl-K from anywhere. */
export function PaletteButton(): ReactNode {
  const { t } = useTranslation();
  const [Palette, setPalette] = useState<ComponentType<{ onClose: () => void }>>();
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => {
    setOpen(true);
    // Without a connection it cannot be loaded; the next attempt may succeed.
    load().then(
      ({ CommandPalette }) => setPalette(() => CommandPalette),
      () => {
        setOpen(false);
        toast(t('errors.network'), 'bad');
      },
    );
  }, [t]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // Over a question that waits for an answer nothing else opens.
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
      {isOpen && Palette !== undefined && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}
