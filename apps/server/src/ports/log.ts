/** The part of pino that everybody may use. Objects first: fields, then the sentence. */
export interface Log {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}
