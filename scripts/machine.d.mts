/** Types of what the browser tests ask the machine. */
export function findSsh(): string | undefined;
