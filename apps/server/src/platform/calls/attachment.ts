/** The reply methods needed to announce a file. */
interface Headers {
  header(name: string, value: string): unknown;
}

const LONGEST_NAME = 100;

/** Turn a name chosen by a user into a file name valid on any system; `fallback` when nothing of it remains. */
export function fileNameOf(text: string, fallback: string): string {
  const name = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}"*/:<>?\\|]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    // Systems hide files whose name begins with a dot, and cut trailing dots and blanks.
    .replaceAll(/^[. ]+|[. ]+$/gu, '');
  return name === '' ? fallback : name;
}

/**
 * Announce the response as a file to save under this name, in any script (RFC 6266). @param name from `fileNameOf`, with its
 * extension
 */
export function announceFile(response: Headers, name: string, type: string): void {
  const plain = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll('%', '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const exact = plain === name ? '' : `; filename*=UTF-8''${encoded}`;
  response.header('content-type', type);
  response.header('content-disposition', `attachment; filename="${plain}"${exact}`);
  response.header('cache-control', 'no-store');
}
