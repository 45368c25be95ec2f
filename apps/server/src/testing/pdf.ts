import { getDocumentProxy } from 'unpdf';

/** The text of each page of a PDF file, as a program that searches it reads it; blanks and ends of lines are one blank. */
export async function readPdfPages(bytes: Uint8Array): Promise<string[]> {
  // A copy: its reader takes the memory.
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    pages.push(text.replaceAll(/\s+/gu, ' '));
  }
  return pages;
}
