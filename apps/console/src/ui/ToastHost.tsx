import { IconAlertTriangle, IconCircleCheck, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from './ActionButton.tsx';
import { useStore } from './store.ts';
import { dismissToast, shownToasts, type Toast } from './toasts.ts';
import './dialog.css';

function OneToast({ id, tone, text, action }: Toast): ReactNode {
  const { t } = useTranslation();
  const Icon = tone === 'ok' ? IconCircleCheck : IconAlertTriangle;
  return (
    <div className="toast" data-tone={tone}>
      <Icon size={18} className="toast__icon" />
      <span className="toast__text">{text}</span>
      {action !== undefined && (
        <button
          type="button"
          className="link"
          onClick={() => {
            dismissToast(id);
            action.onPick();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={t('ui.close')} icon={<IconX size={16} />} onClick={() => dismissToast(id)} />
    </div>
  );
}

/** Renders toasts in the browser's top layer, above dialogs; announced politely. */
export function ToastHost(): ReactNode {
  const toasts = useStore(shownToasts);
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    // Reopened for each toast, because the newest element of the top layer is on top.
    if (element.matches(':popover-open')) element.hidePopover();
    if (toasts.length > 0) element.showPopover();
  }, [toasts]);
  return (
    <div ref={host} popover="manual" className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <OneToast key={toast.id} {...toast} />
      ))}
    </div>
  );
}
