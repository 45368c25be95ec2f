/** The part of pino for general use. Objects first: fields, then the message. */
export interface Log {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}
