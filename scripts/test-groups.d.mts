export interface TestGroup {
  /** What its step is called in the summary. */
  readonly about: string;
  /** Paths from the repository's root, of units and of browser tests (`e2e/…`). */
  readonly files: readonly string[];
}

export declare const groups: Readonly<Record<'nodes' | 'processes' | 'scale' | 'screens', TestGroup>>;

/** The files of all groups. */
export declare const inGroups: readonly string[];
