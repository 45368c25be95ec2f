import { type RefObject, useEffect } from 'react';

/** Marks a frame with `data-left` and `data-right` while its region can scroll further to that side. */
export function useEdges(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = region.current;
    const frame = element?.parentElement;
    if (element === null || frame === undefined || frame === null) return undefined;
    const mark = () => {
      const left = element.scrollLeft;
      frame.toggleAttribute('data-left', left > 1);
      frame.toggleAttribute('data-right', element.scrollWidth - element.clientWidth - left > 1);
    };
    const sizes = new ResizeObserver(mark);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    element.addEventListener('scroll', mark, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', mark);
    };
  });
}
