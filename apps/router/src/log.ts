/** One line of JSON per event. Secrets given at creation never reach the output, in any field. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void;
export type LogFields = { readonly [name: string]: string | number | boolean | undefined };

/**
 * @param write receives one finished line without its newline
 * @param secrets texts to hide, also in their URL-escaped form
 */
export function createLog(write: (line: string) => void, secrets: readonly string[] = []): Log {
  const hidden = secrets.filter((secret) => secret !== '').flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return (level, event, fields = {}) => {
    const clean = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? redact(value, hidden) : value,
    ]);
    write(JSON.stringify({ time: new Date().toISOString(), level, event, ...Object.fromEntries(clean) }));
  };
}

/** A log that discards everything, for fleets in tests and benchmarks. */
export const silentLog: Log = () => undefined;

function redact(text: string, hidden: readonly string[]): string {
  return hidden.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
}
