/** Types of the machine checks used by browser tests. */
export function findSsh(): string | undefined;

/** An installed Chromium or Chrome; undefined when there is none. */
export function findChromium(): string | undefined;
