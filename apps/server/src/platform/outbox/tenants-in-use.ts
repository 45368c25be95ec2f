/** Longer than a user usually pauses. */
const IN_USE_MS = 600_000;

/** Main accounts that use this process: events of all others need not be read here. */
export interface TenantsInUse {
  /** A call of this main account begins. */
  note(mainAccountId: string): void;
  /** Called for a main account whose events may not have been read until now: what is kept in memory of it may be outdated. */
  onReturn(listener: (mainAccountId: string) => void): void;
  /** A part that needs events of these main accounts, as they are at each reading. */
  include(read: () => readonly string[]): void;
  /** Those of calls of the last minutes, and those that parts need. */
  list(): string[];
}

export function createTenantsInUse(): TenantsInUse {
  const notedAt = new Map<string, number>();
  const listeners: ((mainAccountId: string) => void)[] = [];
  const parts: (() => readonly string[])[] = [];
  return {
    note(mainAccountId) {
      const returns = !notedAt.has(mainAccountId);
      notedAt.set(mainAccountId, performance.now());
      if (returns) for (const listener of listeners) listener(mainAccountId);
    },
    onReturn: (listener) => void listeners.push(listener),
    include: (read) => void parts.push(read),
    list() {
      const oldest = performance.now() - IN_USE_MS;
      for (const [id, at] of notedAt) if (at < oldest) notedAt.delete(id);
      return [...new Set([...notedAt.keys(), ...parts.flatMap((read) => read())])];
    },
  };
}
