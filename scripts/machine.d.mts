/** Types of the machine checks used by browser tests. */
export function findSsh(): string | undefined;
