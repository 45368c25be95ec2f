import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { useLongPress } from '../useLongPress.ts';
import '../popup.css';

/** Whether a part of a cell's text is not on the screen. */
export function isCut(clip: HTMLElement): boolean {
  return [clip, ...clip.querySelectorAll('*')].some(
    ({ clientWidth, scrollWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
  );
}

/** What a cell holds beyond what it shows: a text that is cut, and what its parts say on hover. */
export function hiddenText(cell: HTMLElement): string {
  const clip = cell.querySelector<HTMLElement>('.table__clip');
  const titles = [...cell.querySelectorAll<HTMLElement>('[title]')]
    .filter((part) => part !== clip && part.closest('button') === null)
    .map(({ title }) => title)
    .filter((title) => title !== '');
  return [...new Set([...(clip !== null && isCut(clip) ? [clip.innerText.replaceAll('\n', ' ')] : []), ...titles])].join('\n');
}

const cellsOf = (row: HTMLTableRowElement) =>
  [...row.cells].filter((cell) => !cell.classList.contains('table__pick') && hiddenText(cell) !== '');

export type WholeText = ReturnType<typeof useWholeText>;

/**
 * Shows what cells hide: with the keys → and ← on a row, and by a long press (P18). The mouse has the tooltips of the cells.
 * @returns handlers for the body of the table, and the text to render near it
 */
export function useWholeText() {
  const text = useRef<HTMLSpanElement>(null);
  const shown = useRef<HTMLElement>(undefined);
  const hide = () => {
    shown.current = undefined;
    if (text.current?.matches(':popover-open') === true) text.current.hidePopover();
  };
  const show = (cell: HTMLElement) => {
    const { current: whole } = text;
    if (whole === null) return;
    hide();
    shown.current = cell;
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    whole.textContent = hiddenText(cell);
    whole.showPopover();
    const box = cell.getBoundingClientRect();
    whole.style.left = `${Math.max(8, Math.min(box.left, innerWidth - whole.offsetWidth - 8))}px`;
    const below = box.bottom + 4;
    whole.style.top = `${below + whole.offsetHeight > innerHeight - 8 ? box.top - whole.offsetHeight - 4 : below}px`;
  };
  /** @returns whether the key was for this */
  const onKey = (event: KeyboardEvent): boolean => {
    const row = event.target;
    if (!(row instanceof HTMLTableRowElement)) return false;
    if (event.key === 'Escape' && shown.current !== undefined) {
      event.stopPropagation();
      hide();
      return true;
    }
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return false;
    event.preventDefault();
    const cells = cellsOf(row);
    const at = cells.findIndex((cell) => cell === shown.current);
    const next = cells[at < 0 ? (step > 0 ? 0 : cells.length - 1) : at + step];
    if (next === undefined) hide();
    else show(next);
    return true;
  };
  const press = useLongPress((target) => {
    const cell = target.closest('td');
    return cell === null || hiddenText(cell) === '' ? null : cell;
  }, show);
  const handlers = {
    ...press,
    onBlur: hide,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      hide();
      press.onPointerDown(event);
    },
  };
  const node: ReactNode = <span ref={text} role="status" popover="manual" className="hint table__whole" />;
  return { onKey, handlers, node };
}
