/** The text of a chosen file: UTF-16 with a byte order mark, as spreadsheets save "Unicode text", else UTF-8. */
export async function fileText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (first: number, second: number) => bytes[0] === first && bytes[1] === second;
  const encoding = begins(0xff, 0xfe) ? 'utf-16le' : begins(0xfe, 0xff) ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}
