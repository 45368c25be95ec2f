/** What an answer offers to say that it is a file. */
interface Headers {
  header(name: string, value: string): unknown;
}

const LONGEST_NAME = 100;

/** A name that people chose, as the name of a file on any system; `fallback` where nothing of it is left. */
export function fileNameOf(text: string, fallback: string): string {
  const name = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}"*/:<>?\\|]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .slice(0, LONGEST_NAME)
    .toWellFormed()
    // A system takes a name that begins with a dot for hidden, and cuts dots and blanks off the end.
    .replaceAll(/^[. ]+|[. ]+$/gu, '');
  return name === '' ? fallback : name;
}

/** Say that the answer is a file to save under this name, whatever its script (RFC 6266). @param name out of `fileNameOf`, with its ending */
export function announceFile(answer: Headers, name: string, type: string): void {
  const plain = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll('%', '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  answer.header('content-type', type);
  answer.header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`);
  answer.header('cache-control', 'no-store');
}
