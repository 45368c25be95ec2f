import { type ReactNode, useCallback, useId, useLayoutEffect, useState } from 'react';
import './popup.css';

/** The attributes of the button that opens a popup. */
export interface PopupTrigger {
  readonly popoverTarget: string;
  readonly 'aria-expanded': boolean;
}

export interface PopupProps {
  readonly trigger: (trigger: PopupTrigger) => ReactNode;
  /** Drawn only while open. */
  readonly children: (close: () => void) => ReactNode;
  /** Which edge of the button the popup keeps to. */
  readonly align?: 'start' | 'end';
  readonly className?: string;
  readonly role?: string;
  readonly label?: string;
}

/** Place a popup under its button, or above it if there is too little space below. */
function positionPopup(popup: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const edge = 8;
  const box = button.getBoundingClientRect();
  const below = innerHeight - box.bottom - edge;
  const up = below < 220 && box.top > below;
  const width = popup.offsetWidth;
  const preferredLeft = align === 'start' ? box.left : box.right - width;
  popup.style.left = `${Math.max(edge, Math.min(preferredLeft, innerWidth - width - edge))}px`;
  popup.style.top = up ? 'auto' : `${box.bottom + 4}px`;
  popup.style.bottom = up ? `${innerHeight - box.top + 4}px` : 'auto';
  popup.style.maxHeight = `${Math.max(160, (up ? box.top : below) - edge)}px`;
}

/**
 * A small surface that a button opens: menus, column choosers, filter lists. It is the browser's own popover, so Esc,
 * a click outside and the top layer (above dialogs too) come from the platform, and focus returns to the button.
 */
export function Popup({ trigger, children, align = 'start', className = '', role, label }: PopupProps): ReactNode {
  const id = useId();
  const [open, setOpen] = useState(false);
  const close = useCallback(() => document.querySelector<HTMLElement>(`#${CSS.escape(id)}`)?.hidePopover(), [id]);
  const arrange = useCallback(() => {
    const button = document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`);
    const popup = document.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    if (popup !== null && button !== null) positionPopup(popup, button, align);
  }, [align, id]);

  useLayoutEffect(() => {
    if (!open) return undefined;
    arrange();
    addEventListener('resize', arrange);
    addEventListener('scroll', arrange, true);
    return () => {
      removeEventListener('resize', arrange);
      removeEventListener('scroll', arrange, true);
    };
  }, [open, arrange]);

  return (
    <>
      {trigger({ popoverTarget: id, 'aria-expanded': open })}
      <div
        id={id}
        popover="auto"
        className={`popup ${className}`}
        role={role}
        aria-label={label}
        // Only after it is shown: an element that is not rendered cannot take the focus.
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && children(close)}
      </div>
    </>
  );
}
