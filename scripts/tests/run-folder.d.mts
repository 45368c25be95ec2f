/** From now on TMPDIR of this process, and of what it starts, is a folder that is removed when it exits. In a run that has one: nothing. */
export function useRunFolder(): void;
