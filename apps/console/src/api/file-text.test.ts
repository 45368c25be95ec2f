import { expect, test } from 'vitest';
import { fileText } from './file-text.ts';

test('USE-03-partial a file of ICCIDs is read as UTF-8 or as the Unicode text of a spreadsheet', async () => {
  const text = '8944…576\r\n';
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`), wide, Buffer.from(wide).swap16()])
    expect(await fileText(new Blob([bytes]))).toBe(text);
});
