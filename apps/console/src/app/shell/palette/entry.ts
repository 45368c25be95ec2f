import type { search } from '@highline/contract';
import type { NavigateOptions } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** One line of the palette. */
export interface PaletteEntry {
  /** Unique among the entries. */
  readonly key: string;
  readonly title: string;
  readonly detail?: string;
  /** Other terms by which it is found, not shown. */
  readonly also?: string;
  /** At the end of the line: the value that matched, if neither title nor detail shows it; the organization. */
  readonly hint?: string | undefined;
  readonly icon: ReactNode;
  readonly run: () => void;
  /** What is stored to offer it again; absent: it is not. */
  readonly recent?: RecentEntry | undefined;
}

export interface PaletteSection {
  readonly key: string;
  readonly title: string;
  readonly entries: readonly PaletteEntry[];
}

/** Something that was opened from the palette. */
export type RecentEntry = Pick<search.Found, 'kind' | 'id' | 'title' | 'detail' | 'org' | 'orgName'>;

/** Where an entry leads: its path is one of the sidebar's, or of a route. */
export type Address = Pick<NavigateOptions, 'to' | 'search'>;
