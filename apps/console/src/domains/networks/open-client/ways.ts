/** How a client can be opened. */
export const ways = ['http', 'https', 'terminal', 'ssh', 'tcp'] as const;
export type Way = (typeof ways)[number];
