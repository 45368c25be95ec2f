import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

const LONG_PRESS_MS = 400;

/** The part of the page that a finger pressed for long, or null where a long press means nothing. */
type Find = (target: Element) => HTMLElement | null;

/**
 * Handlers for a long press by touch or pen, of an element that contains the parts to be pressed. The click that ends a long press
 * opens nothing, and the menu of the browser does not open.
 */
export function useLongPress(find: Find, onPress: (pressed: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPressed = useRef(false);
  /** The part under a finger. */
  const touched = useRef<HTMLElement>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = (part: HTMLElement) => {
    clearTimeout(timer.current);
    if (isPressed.current) return;
    isPressed.current = true;
    onPress(part);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      clearTimeout(timer.current);
      isPressed.current = false;
      touched.current = undefined;
      const part = event.target instanceof Element ? find(event.target) : null;
      if (event.pointerType === 'mouse' || part === null) return;
      touched.current = part;
      timer.current = setTimeout(() => press(part), LONG_PRESS_MS);
    },
    // The long press of the browser itself, which takes the pointer away.
    onContextMenu: (event: MouseEvent) => {
      const { current: part } = touched;
      if (part === undefined) return;
      event.preventDefault();
      press(part);
    },
    onPointerUp: () => clearTimeout(timer.current),
    onPointerCancel: () => clearTimeout(timer.current),
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (Math.abs(event.movementX) + Math.abs(event.movementY) > 3) clearTimeout(timer.current);
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isPressed.current) return;
      isPressed.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
  };
}
