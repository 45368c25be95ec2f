/** A failure: its HTTP status, its message, and the number that the product spec defines for it. */
export const failureRow = <Status extends number>(status: Status, message: string, code?: number) => ({
  status,
  message,
  ...(code !== undefined && { code }),
});
