// Without schemas, so that the console has it too.

/** How long recordings of terminals are kept, days. */
export const RECORDING_DAYS = { least: 1, most: 3_650, usual: 90 } as const;
