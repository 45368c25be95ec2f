import { pino, type LogFn, type Logger } from 'pino';
import { createOutages } from './outages.ts';

/** Fields that hold a secret wherever they appear; logged as `[redacted]`. */
const SECRET_FIELDS = ['password', 'secret', 'vap', 'authorization', 'cookie', 'bearer', 'otp', 'masterKey'];

/** Secrets in an address: `?vap=…` of a handover, the paths of a router and of its transfers, the link of a mail. */
export function redactAddress(url: string): string {
  return url
    .replaceAll(/([?&](?:vap|reset|invitation|setup|secret|confirm|unsubscribe|token)=)[^&#\s]*/giu, '$1[redacted]')
    .replaceAll(/(\/(?:usp|transfers)\/)[^/?#\s]+/gu, '$1[redacted]');
}

export interface LogOptions {
  /** In each line. */
  readonly base?: Readonly<Record<string, string>> | null;
  /** Whether something outside could not be reached; of equal lines about that only the first is written. */
  readonly isOutage?: (error: unknown) => boolean;
}

/** JSON logs on standard output, secrets redacted (issue: "JSON logs with secrets redacted"). */
export function createLog(
  level: string,
  destination?: { write(line: string): void },
  { base = null, isOutage = () => false }: LogOptions = {},
): Logger {
  const outages = createOutages({
    isOutage,
    ended: (fields) => log.info(fields, 'An outage is over; equal lines were left out.'),
  });
  const options = {
    level,
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
        if (!outages.isRepeated(args[0])) method.apply(this, args);
      },
    },
    base,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `req.headers.${field}`]),
      censor: '[redacted]',
    },
    serializers: {
      err: (error: unknown) =>
        error instanceof Error
          ? { type: error.name, message: redactAddress(error.message), stack: redactAddress(error.stack ?? '') }
          : error,
      url: (url: unknown) => (typeof url === 'string' ? redactAddress(url) : url),
    },
  };
  const log = destination === undefined ? pino(options) : pino(options, destination);
  return log;
}
