/**
 * Wrap a callback of a connection, so that an error in it ends that connection and not the router's software.
 * @param fail ends the connection; receives the error
 */
export function guard<Handle extends (...args: never[]) => unknown>(
  fail: (error: unknown) => void,
  handle: Handle,
): (...args: Parameters<Handle>) => void {
  return (...args) => {
    try {
      const result = handle(...args);
      if (result instanceof Promise) result.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}
