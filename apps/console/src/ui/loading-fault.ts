/**
 * A file of the console could not be loaded: no connection, or another version was installed. The browser's own message names the
 * file; it stays in `cause`.
 */
export class LoadingFault extends Error {
  override readonly name = 'LoadingFault';

  constructor(cause: unknown) {
    super('A part of the console could not be loaded.', { cause });
  }
}
