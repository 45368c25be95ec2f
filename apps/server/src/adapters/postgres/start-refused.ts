/**
 * A fault that whoever starts Highline can mend. Its message is a plain sentence, or several lines of them: print it without a
 * stack and leave with exit code 1.
 */
export class StartRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartRefused';
  }
}
