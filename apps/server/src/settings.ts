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

/** Which PostgreSQL to use: the one we start ourselves, or one that somebody runs for us. */
export type DatabaseSettings =
  | {
      readonly kind: 'embedded';
      /** Holds the database files and nothing else. */
      readonly folder: string;
      readonly poolSize: number;
    }
  | {
      readonly kind: 'external';
      /** Signs in as the owner, who migrates. */
      readonly url: string;
      /** Signs in as a member of highline_serve and nothing more; without it the owner's sessions step down to that role. */
      readonly serveUrl?: string;
      readonly poolSize: number;
    };
