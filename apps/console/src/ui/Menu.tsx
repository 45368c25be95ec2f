import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Popup, type PopupTrigger } from './Popup.tsx';

/** One item of a menu. `checked` makes it one of a set of choices. */
export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly checked?: boolean;
  /** Present: it cannot be picked, and says why. */
  readonly disabledReason?: string | undefined;
  readonly onPick: () => void;
}

export interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly trigger: (trigger: PopupTrigger & { 'aria-haspopup': 'menu' }) => ReactNode;
  readonly align?: 'start' | 'end';
  /** Content above the items, for example the signed-in user. */
  readonly head?: ReactNode;
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
};

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu__item')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items[step(at, items.length - 1)]?.focus();
}

function MenuList({ items, onPicked }: { items: readonly MenuItem[]; onPicked: () => void }): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const first = list.current?.querySelector<HTMLElement>('[aria-checked="true"]') ?? list.current?.querySelector('button');
    first?.focus();
  }, []);
  return (
    <div ref={list} role="presentation" onKeyDown={moveFocus}>
      {items.map((item) => (
        <button
          key={item.id}
          type="button"
          className="menu__item"
          role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
          aria-checked={item.checked}
          tabIndex={-1}
          {...(item.disabledReason !== undefined && { 'aria-disabled': true })}
          onClick={() => {
            if (item.disabledReason !== undefined) return;
            onPicked();
            item.onPick();
          }}
        >
          {item.checked === undefined ? (
            item.icon
          ) : (
            <IconCheck size={16} className="menu__check" opacity={item.checked ? 1 : 0} />
          )}
          {item.disabledReason === undefined ? (
            item.label
          ) : (
            <span className="menu__disabled">
              {item.label}
              <small>{item.disabledReason}</small>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

/** A menu under a button: arrows move, Enter picks, Esc closes and focus returns. */
export function Menu({ label, items, trigger, align, head }: MenuProps): ReactNode {
  return (
    <Popup
      role="menu"
      label={label}
      {...(align === undefined ? {} : { align })}
      trigger={(popup) => trigger({ ...popup, 'aria-haspopup': 'menu' })}
    >
      {(close) => (
        <>
          {head !== undefined && (
            <div className="menu__head" role="presentation">
              {head}
            </div>
          )}
          <MenuList items={items} onPicked={close} />
        </>
      )}
    </Popup>
  );
}
