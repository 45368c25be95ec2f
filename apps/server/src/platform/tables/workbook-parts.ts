import type { Archive } from './archive.ts';
import { numberKind, type NumberKind } from './cell-text.ts';
import { tooLarge } from './file-fault.ts';
import { MAX_ROW_LENGTH } from './limits.ts';
import { readWholeXml } from './workbook-xml.ts';

/** Characters of all texts that cells share. */
const MAX_SHARED = 64 * 1_048_576;

/** What the cells of all sheets refer to. */
export interface Context {
  readonly shared: readonly string[];
  readonly styles: readonly NumberKind[];
  readonly epoch: 1900 | 1904;
}

interface SheetPart {
  readonly name: string;
  readonly part: string;
}

/** The sheets in the order of their tabs, those that are hidden last. */
export async function readMain(archive: Archive, main: string) {
  const found: { readonly name: string; readonly id: string; readonly isHidden: boolean }[] = [];
  let epoch: Context['epoch'] = 1900;
  await readWholeXml(await archive.read(main), {
    open(name, attributes) {
      if (name === 'workbookPr' && /^(?:1|true)$/u.test(attributes['date1904'] ?? '')) epoch = 1904;
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      found.push({ name: attributes['name'] ?? '', id, isHidden: (attributes['state'] ?? 'visible') !== 'visible' });
    },
  });
  const parts = new Map<string, string>();
  await readWholeXml(await archive.read('xl/_rels/workbook.xml.rels'), {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') parts.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  const inOrder = found.toSorted((a, b) => Number(a.isHidden) - Number(b.isHidden));
  const sheets = inOrder.flatMap(({ name, id }): SheetPart[] => {
    const part = parts.get(id);
    return part !== undefined && archive.has(part) ? [{ name, part }] : [];
  });
  return { sheets, epoch };
}

export async function readShared(archive: Archive): Promise<string[]> {
  const texts: string[] = [];
  let size = 0;
  const part = 'xl/sharedStrings.xml';
  if (!archive.has(part)) return texts;
  const text = textCollector();
  await readWholeXml(await archive.read(part), {
    open(name) {
      if (name === 'si') text.begin();
      text.open(name);
    },
    text: text.add,
    close(name) {
      text.close(name);
      if (name !== 'si') return;
      const whole = text.take();
      size += whole.length;
      if (size > MAX_SHARED) throw tooLarge('The workbook is too large to be read.');
      texts.push(whole);
    },
  });
  return texts;
}

export async function readStyles(archive: Archive): Promise<NumberKind[]> {
  const codes = new Map<number, string>();
  const kinds: NumberKind[] = [];
  let isCellFormat = false;
  const part = 'xl/styles.xml';
  if (!archive.has(part)) return kinds;
  await readWholeXml(await archive.read(part), {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isCellFormat = true;
      else if (name === 'xf' && isCellFormat) kinds.push(numberKind(Number(numFmtId), codes.get(Number(numFmtId))));
    },
    close(name) {
      if (name === 'cellXfs') isCellFormat = false;
    },
  });
  return kinds;
}

/** The text of a cell: parts with formats of their own are put together, how Japanese is pronounced is left out. */
export function textCollector() {
  let text = '';
  let isText = false;
  let isRuby = false;
  return {
    begin() {
      text = '';
    },
    open(name: string) {
      if (name === 'rPh') isRuby = true;
      isText = (name === 't' || name === 'v') && !isRuby;
    },
    add(part: string) {
      if (isText && text.length <= MAX_ROW_LENGTH) text += part;
    },
    close(name: string) {
      if (name === 'rPh') isRuby = false;
      if (name === 't' || name === 'v') isText = false;
    },
    take() {
      if (text.length > MAX_ROW_LENGTH) throw tooLarge('A cell of the workbook has too many characters.');
      return text;
    },
  };
}
