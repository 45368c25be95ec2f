import { type ReactNode, useEffect, useId, useRef } from 'react';
import './popup.css';

const DELAY = 250;

export interface HintProps {
  /** Without a text, only the child is shown. */
  readonly text: string | undefined;
  /** Receives the id that its control must name in `aria-describedby`. */
  readonly children: (describedBy: string | undefined) => ReactNode;
}

function positionAbove(hint: HTMLElement, anchor: HTMLElement): void {
  const box = anchor.getBoundingClientRect();
  const left = box.left + box.width / 2 - hint.offsetWidth / 2;
  hint.style.left = `${Math.max(8, Math.min(left, innerWidth - hint.offsetWidth - 8))}px`;
  const above = box.top - hint.offsetHeight - 6;
  hint.style.top = `${above < 8 ? box.bottom + 6 : above}px`;
}

/** A tooltip on hover and keyboard focus, above everything (UX: a disabled control explains why). */
export function Hint({ text, children }: HintProps): ReactNode {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const hint = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const hide = () => {
    clearTimeout(timer.current);
    if (hint.current?.matches(':popover-open') === true) hint.current.hidePopover();
  };
  const show = () => {
    if (hint.current === null || anchor.current === null || hint.current.matches(':popover-open')) return;
    hint.current.showPopover();
    positionAbove(hint.current, anchor.current);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  // The same parent with and without a text, so that the control stays the same element and keeps the focus.
  if (text === undefined) return <span className="hint-none">{children(undefined)}</span>;
  return (
    <span
      ref={anchor}
      className="hint-anchor"
      role="presentation"
      onMouseEnter={() => {
        timer.current = setTimeout(show, DELAY);
      }}
      onMouseLeave={hide}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) show();
      }}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') hide();
      }}
    >
      {children(id)}
      <span ref={hint} id={id} role="tooltip" popover="manual" className="hint">
        {text}
      </span>
    </span>
  );
}
