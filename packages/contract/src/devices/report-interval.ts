/** Range of the seconds between two reports of a router. */
export const reportInterval = { least: 10, most: 86_400 } as const;
