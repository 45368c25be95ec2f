/** Types of the launchers' shared code, for the browser tests. */
export const root: string;
export function node24(): string;
export function ensureBuilt(): void;
