import { Button } from './controls/Button.tsx';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { openDialogs } from './dialogs.ts';
import { confirmLoss, type Loss, useOpenLoss } from './losses.ts';
import { composes } from './composition.ts';
import './dialog.css';

export interface DialogProps {
  readonly title: ReactNode;
  /** Esc and, unless `sticky`, a click outside the dialog; with a `loss` only after it was confirmed. */
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
  /** What closing it would lose now: every way to close it asks first, and so does leaving the page. */
  readonly loss?: Loss | undefined;
  readonly role?: 'dialog' | 'alertdialog';
}

const Closing = createContext<() => void>(() => undefined);

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

/** Every way to close the dialog: at once, or after the loss was confirmed. */
function useClosing(loss: Loss | undefined, onClose: () => void): () => void {
  const entry = useRef({ loss, close: onClose });
  useLayoutEffect(() => {
    entry.current = { loss, close: onClose };
  });
  useOpenLoss(entry, loss !== undefined);
  return () => {
    if (loss === undefined) return onClose();
    if (openDialogs.get().length === 0) void confirmLoss(loss).then((isConfirmed) => isConfirmed && entry.current.close());
  };
}

/** A browser lets a page intercept Esc only once, then closes its dialog anyway: the key is taken before. */
function useEscape(ref: RefObject<HTMLDialogElement | null>, isActive: boolean, close: () => void): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || composes(event)) return;
      // What is open above it takes the key itself.
      const isTop = [...document.querySelectorAll('dialog[open]')].at(-1) === ref.current;
      if (!isTop || document.querySelector('[popover="auto"]:popover-open') !== null) return;
      event.preventDefault();
      close();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
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
  loss,
  role,
}: DialogProps): ReactNode {
  const heading = useId();
  const ref = useModal();
  const close = useClosing(loss, onClose);
  useEscape(ref, loss !== undefined, close);
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
        close();
      }}
      // The browser closed it by itself, for example by the Back gesture of a phone.
      onClose={(event) => {
        if (event.target !== event.currentTarget || event.currentTarget.open || !event.currentTarget.isConnected) return;
        if (loss !== undefined) event.currentTarget.showModal();
        close();
      }}
      onClick={(event) => {
        if (!sticky && event.target === event.currentTarget) close();
      }}
    >
      <Closing value={close}>
        <div className="dialog__box">
          <h2 id={heading} className={top ? 'unseen' : 'dialog__title'}>
            {title}
          </h2>
          <div className="dialog__body">{children}</div>
          {actions !== undefined && <div className="dialog__actions">{actions}</div>}
        </div>
      </Closing>
    </dialog>
  );
}

/** A button that closes its dialog, as Esc does. */
export function CloseButton({ variant = 'default', disabled = false, children }: CloseButtonProps): ReactNode {
  const close = useContext(Closing);
  return (
    <Button variant={variant} disabled={disabled} onClick={close}>
      {children}
    </Button>
  );
}

interface CloseButtonProps {
  readonly variant?: 'default' | 'filled';
  readonly disabled?: boolean;
  readonly children: ReactNode;
}
