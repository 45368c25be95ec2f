import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import './dialog.css';

export interface DialogProps {
  readonly title: ReactNode;
  /** Esc and, unless `sticky`, a click outside the dialog. */
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** As much of the window as two lists side by side need. */
  readonly full?: boolean;
  /** Near the upper edge and without a visible title: something to type into. */
  readonly top?: boolean;
  /** A click outside the dialog does nothing, so typed input is not lost. */
  readonly sticky?: boolean;
  readonly role?: 'dialog' | 'alertdialog';
}

/** Open as a modal while mounted, and return the focus afterwards. */
function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return ref;
}

/**
 * A dialog over the page. It is the browser's own: the rest of the page is inert, Esc closes one layer, and it needs
 * no further resources, so it also works without a network.
 */
export function Dialog({
  title,
  onClose,
  children,
  actions,
  wide = false,
  full = false,
  top = false,
  sticky = false,
  role,
}: DialogProps): ReactNode {
  const heading = useId();
  const ref = useModal();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the click handler only duplicates what Esc and the buttons do
    <dialog
      ref={ref}
      className={['dialog', wide && 'dialog--wide', full && 'dialog--full', top && 'dialog--top'].filter(Boolean).join(' ')}
      role={role}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (!sticky && event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog__box">
        <h2 id={heading} className={top ? 'unseen' : 'dialog__title'}>
          {title}
        </h2>
        <div className="dialog__body">{children}</div>
        {actions !== undefined && <div className="dialog__actions">{actions}</div>}
      </div>
    </dialog>
  );
}
