/** What the fixed piece of work that this file does as a program takes on the machine of the limit, in ms of processor. */
export const USUAL_UNIT_MS: number;
