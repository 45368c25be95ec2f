/** Days that the trail of a device can be of, as an ISO day; undefined for another text, and for a day that its month does not have. */
export function parseTrailDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/u.test(text) || Number.isNaN(Date.parse(`${text}T00:00:00Z`)))
    return undefined;
  return dayAfter(text, 0) === text ? text : undefined;
}

/** The ISO day some days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
