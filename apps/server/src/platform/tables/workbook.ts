import { type Archive, openArchive } from './archive.ts';
import { numberText } from './cell-text.ts';
import { foreign } from './encoding.ts';
import { notTable } from './file-fault.ts';
import { MAX_COLUMNS, MAX_ROWS, tooManyColumns, tooManyRows } from './limits.ts';
import { readShared, readStyles, readMain, type Context, textCollector } from './workbook-parts.ts';
import { readXml } from './workbook-xml.ts';

/** A row of a file, by its number in the spreadsheet. */
export interface FileRow {
  readonly row: number;
  readonly cells: readonly string[];
}

/** A sheet, which is read once. */
export interface Sheet {
  readonly name: string;
  rows(): AsyncGenerator<FileRow>;
}

/** Sheets that are looked at. */
const MAX_SHEETS = 20;

/**
 * The sheets of an Excel workbook (ECMA-376), row by row, within limits of the sizes that are read. Formulas are not evaluated: a cell has
 * the value that was saved with it.
 * @throws FileFault for other files of ZIP
 */
export async function* readWorkbook(path: string): AsyncGenerator<Sheet> {
  const archive = await openArchive(path);
  try {
    const main = mainPart(archive);
    const { sheets, epoch } = await readMain(archive, main);
    const context = { epoch, shared: await readShared(archive), styles: await readStyles(archive) };
    for (const { name, part } of sheets.slice(0, MAX_SHEETS)) yield { name, rows: () => readRows(archive, part, context) };
  } finally {
    archive.close();
  }
}

const MAIN = 'xl/workbook.xml';

function mainPart(archive: Archive): string {
  if (archive.has(MAIN)) return MAIN;
  if (archive.has('xl/workbook.bin')) throw notTable('This is a binary Excel workbook (.xlsb). Save it as .xlsx or CSV.');
  if (archive.has('content.xml')) throw notTable('This is an OpenDocument file (.ods). Save it as .xlsx or CSV.');
  if (archive.has('Index/Document.iwa') || archive.has('Index.zip'))
    throw notTable('This is a Numbers document. Export it as Excel (.xlsx) or CSV.');
  throw notTable('This is a ZIP archive, not a CSV file or Excel workbook.');
}

/** Rows that have content. */
async function* readRows(archive: Archive, part: string, { shared, styles, epoch }: Context): AsyncGenerator<FileRow> {
  let rows: FileRow[] = [];
  let count = 0;
  let row = 0;
  let cells: string[] = [];
  let column = 0;
  let cell: Readonly<Record<string, string>> = {};
  const text = textCollector();
  const content = () => {
    const written = text.take();
    const { t: type = 'n', s: style = '' } = cell;
    if (type === 's') return withCharacters(shared[Number(written)] ?? '');
    if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE';
    if (type === 'd') return written.replace(/T00:00:00(?:\.0+)?Z?$/u, '');
    if (type === 'n') return numberText(written, styles[Number(style)] ?? 'number', epoch);
    return withCharacters(written);
  };
  const reading = readXml(await archive.read(part), {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes['r']) || row + 1;
        cells = [];
        column = 0;
      } else if (name === 'c') {
        cell = attributes;
        column = columnOf(attributes['r']) ?? column;
        text.begin();
      }
      text.open(name);
    },
    text: text.add,
    close(name) {
      text.close(name);
      if (name === 'c') {
        const shown = content();
        if (shown.trim() !== '') {
          if (column >= MAX_COLUMNS) throw tooManyColumns();
          while (cells.length < column) cells.push('');
          cells[column] = shown;
        }
        column += 1;
      } else if (name === 'row' && cells.length > 0) {
        count += 1;
        if (count > MAX_ROWS + 1) throw tooManyRows();
        rows.push({ row, cells });
      }
    },
  });
  for await (const _ of reading) {
    yield* rows;
    rows = [];
  }
}

/** `C5` is column 2. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/u.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + (letter.codePointAt(0)! - 64), 0) - 1;
}

/** Texts write characters that XML cannot contain as `_x000D_`. Those that no text has become blanks. */
function withCharacters(text: string): string {
  if (!text.includes('_x')) return text;
  const character = (_: string, code: string) => String.fromCodePoint(Number.parseInt(code, 16));
  return text
    .replaceAll(/_x([0-9A-Fa-f]{4})_/gu, character)
    .replaceAll(foreign, ' ')
    .toWellFormed();
}
