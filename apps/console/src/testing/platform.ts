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

/** By tag, and for a dialog also whether it is open. */
const displays = new Map<string, string>();

function inlineVisibility(element: Element): string {
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    const own = each.hasAttribute('style') ? (each as HTMLElement).style.visibility : '';
    if (own !== '' && own !== 'inherit') return own;
  }
  return 'visible';
}

/**
 * What queries by role and name, and the pointer, look up for each element of the page: it depends on the tag, on inline styles and on open
 * popups, as there are no stylesheets. To compute all properties of an element and of its ancestors is an eighth of the time of a test.
 */
function styleReader(compute: typeof getComputedStyle): typeof getComputedStyle {
  const displayOf = (element: Element): string => {
    const own = element.hasAttribute('style') ? (element as HTMLElement).style.display : '';
    if (own !== '') return own;
    if (element.hasAttribute('popover') && !element.hasAttribute(OPEN)) return 'none';
    const kind = `${element.tagName} ${element.hasAttribute('open')}`;
    const known = displays.get(kind) ?? compute(element).display;
    if (element.isConnected && !element.hasAttribute('popover')) displays.set(kind, known);
    return known;
  };
  const read = (element: Element, name: string): string => {
    if (name === 'display') return displayOf(element);
    if (name === 'visibility') return inlineVisibility(element);
    if (name === 'pointerEvents') return (element as HTMLElement).style?.pointerEvents ?? '';
    return Reflect.get(compute(element), name) as string;
  };
  return (element, pseudo) =>
    new Proxy({} as CSSStyleDeclaration, {
      get(_, name) {
        if (name === 'getPropertyValue')
          return (property: string) => {
            if (pseudo) return '';
            return ['display', 'visibility'].includes(property)
              ? read(element, property)
              : compute(element).getPropertyValue(property);
          };
        return pseudo ? '' : read(element, String(name));
      },
    });
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
  const { matches } = Element.prototype;
  const { querySelector } = Document.prototype;
  const { getComputedStyle } = window;
  // Not spies, which keep each call.
  Object.assign(Element.prototype, {
    matches(this: Element, selector: string) {
      return matches.call(this, withOpen(selector));
    },
  });
  Object.assign(Document.prototype, {
    querySelector(this: Document, selector: string) {
      return querySelector.call(this, withOpen(selector));
    },
  });
  const reader = styleReader(getComputedStyle.bind(window));
  window.getComputedStyle = reader;
  globalThis.getComputedStyle = reader;
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  window.addEventListener('click', onClick);
  window.addEventListener('keydown', onKeyDown);
  return () => {
    Object.assign(Element.prototype, { matches });
    Object.assign(Document.prototype, { querySelector });
    window.getComputedStyle = getComputedStyle;
    globalThis.getComputedStyle = getComputedStyle;
    window.removeEventListener('click', onClick);
    window.removeEventListener('keydown', onKeyDown);
  };
}
