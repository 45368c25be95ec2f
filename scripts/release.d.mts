/** Types of the release script, for its test. */
export function stage(folder: string): Promise<void>;
