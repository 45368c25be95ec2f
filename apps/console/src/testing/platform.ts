import { vi } from 'vitest';

/** What this file adds to the DOM of the tests is what browsers do by themselves; layout, styles and inert parts stay theirs. */

const OPEN = 'data-popover-open';
const withOpen = (selector: string) =>
  selector.replaceAll(':popover-open', `[${OPEN}]`).replaceAll('dialog:modal', 'dialog[open]');

function show(popup: HTMLElement): void {
  popup.setAttribute(OPEN, '');
  popup.dispatchEvent(Object.assign(new Event('toggle'), { oldState: 'closed', newState: 'open' }));
}

function hide(popup: HTMLElement): void {
  if (!popup.hasAttribute(OPEN)) return;
  const opener = document.querySelector<HTMLElement>(`[popovertarget="${popup.id}"]`);
  if (popup.contains(document.activeElement)) opener?.focus();
  popup.removeAttribute(OPEN);
  popup.dispatchEvent(Object.assign(new Event('toggle'), { oldState: 'open', newState: 'closed' }));
}

const openPopups = () => [...document.querySelectorAll<HTMLElement>(`[popover="auto"][${OPEN}]`)];

/** A button opens and closes its popup; a click outside closes it. */
function onClick({ target }: Event): void {
  if (!(target instanceof Element)) return;
  const id = target.closest('[popovertarget]')?.getAttribute('popovertarget');
  for (const popup of openPopups()) if (popup.id !== id && !popup.contains(target)) hide(popup);
  const popup = document.querySelector<HTMLElement>(`[id="${id}"]`);
  if (popup !== null) (popup.hasAttribute(OPEN) ? hide : show)(popup);
}

/** Esc closes the popup that was opened last, else the dialog. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
  const popup = openPopups().at(-1);
  if (popup !== undefined) return hide(popup);
  const dialog = [...document.querySelectorAll('dialog')].filter(({ open }) => open).at(-1);
  if (dialog?.dispatchEvent(new Event('cancel', { cancelable: true })) === true) dialog.close();
}

/** Popups, and Esc for dialogs. @returns takes it back */
export function completePlatform(): () => void {
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      show(this);
    },
    hidePopover(this: HTMLElement) {
      hide(this);
    },
  });
  const closed = document.createElement('style');
  closed.textContent = `[popover]:not([${OPEN}]) { display: none }`;
  document.head.append(closed);
  const { matches } = Element.prototype;
  const { querySelector } = Document.prototype;
  vi.spyOn(Element.prototype, 'matches').mockImplementation(function match(this: Element, selector: string) {
    return matches.call(this, withOpen(selector));
  });
  vi.spyOn(Document.prototype, 'querySelector').mockImplementation(function query(this: Document, selector: string) {
    return querySelector.call(this, withOpen(selector));
  });
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  window.addEventListener('click', onClick);
  window.addEventListener('keydown', onKeyDown);
  return () => {
    closed.remove();
    window.removeEventListener('click', onClick);
    window.removeEventListener('keydown', onKeyDown);
  };
}
