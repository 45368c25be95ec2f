import type { Icon, Texts } from './page.ts';

/** What the palette lists of a page that has no entry in the sidebar; `palette.ts` of a domain exports its own (BLK-04). */
export interface PaletteItem {
  readonly path: string;
  /** The place among those of its section. */
  readonly order: number;
  readonly title: Texts;
  /** Other terms by which it is found, not shown. */
  readonly also?: Texts;
  /** Absent: it is listed among the actions. */
  readonly icon?: Icon;
}
