import { strToU8, Zip, ZipDeflate } from 'fflate';
import { workbookText } from '@highline/contract/csv-cell';
import { MOST_WORKBOOK_ROWS, type ColumnKind, type ListWorkbook } from './list-workbook.ts';

/** Characters of a cell. */
const MAX_CELL = 32_767;
/** Characters of the name of a sheet. */
const MAX_NAME = 31;
/** Rows from which the widths of columns are taken. */
const SAMPLE = 100;
/** Characters. */
const NARROWEST = 8;
const WIDEST = 60;
/** XML that is passed on to be compressed at once. */
const PIECE = 65_536;

const NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const START = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Numbers of the styles below. */
const styles = { title: 1, whole: 2, isoDay: 3, day: 4, time: 5, yearFirstTime: 6, yearFirstDay: 7 } as const;
/** Those of numbers with so many decimals: all of a column have as many. */
const decimals: Readonly<Record<number, number>> = { 1: 8, 2: 9, 5: 10 };

/** Everything but the sheet. */
const fixedParts = (name: string): Record<string, string> => ({
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${NAMESPACE}" xmlns:r="${RELATIONS}"><sheets><sheet name="${sheetNameOf(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${NAMESPACE}"><numFmts count="7"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="mm\\/dd\\/yyyy"/><numFmt numFmtId="166" formatCode="mm\\/dd\\/yyyy\\ hh:mm:ss"/><numFmt numFmtId="167" formatCode="yyyy\\/mm\\/dd\\ hh:mm:ss"/><numFmt numFmtId="168" formatCode="yyyy\\/mm\\/dd"/><numFmt numFmtId="169" formatCode="0.0"/><numFmt numFmtId="170" formatCode="0.00000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="11"><xf xfId="0"/><xf fontId="1" applyFont="1"/><xf numFmtId="1" applyNumberFormat="1"/>${[164, 165, 166, 167, 168, 169, 2, 170].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
});

/** Writes a workbook of one sheet row by row. */
export interface SheetWriter {
  /** @throws Error for more rows than a sheet can have */
  add(record: readonly string[]): void;
  /** The bytes that were made since the last time. */
  take(): Uint8Array<ArrayBuffer>;
  /** The last bytes. */
  end(): Uint8Array<ArrayBuffer>;
}

export function createSheetWriter({ name, kinds, headLines = 0 }: ListWorkbook): SheetWriter {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    made.push(bytes);
  });
  const part = (path: string) => {
    const file = new ZipDeflate(path, { level: 6 });
    zip.add(file);
    return file;
  };
  for (const [path, content] of Object.entries(fixedParts(name))) part(path).push(strToU8(START + content), true);
  const sheet = part('xl/worksheets/sheet1.xml');
  let rows = 0;
  let xml = '';
  /** The first rows, until the widths of columns are known. */
  let waiting: (readonly string[])[] | undefined = [];
  const push = (isLast: boolean) => {
    sheet.push(strToU8(xml), isLast);
    xml = '';
  };
  const take = () => {
    const bytes = new Uint8Array(made.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of made.splice(0)) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  };
  const write = (record: readonly string[]) => {
    rows += 1;
    if (rows > MOST_WORKBOOK_ROWS + 1) throw new Error('The list has more rows than a sheet can have.');
    const isTitle = rows === 1 || rows === headLines + 1;
    const cells = record.map((cell, at) => {
      if (isTitle) return textCell(workbookText(cell), styles.title);
      return rows <= headLines ? textCell(workbookText(cell)) : cellOf(cell, kinds[at]);
    });
    xml += `<row>${cells.join('')}</row>`;
    if (xml.length > PIECE) push(false);
  };
  const start = () => {
    const found = waiting ?? [];
    waiting = undefined;
    xml += sheetStart(widthsOf(found.slice(headLines)), headLines + 1);
    for (const record of found) write(record);
  };
  return {
    add(record) {
      if (waiting === undefined) return write(record);
      waiting.push(record);
      if (waiting.length > headLines + SAMPLE) start();
    },
    take,
    end() {
      if (waiting !== undefined) start();
      xml += `</sheetData></worksheet>`;
      push(true);
      zip.end();
      return take();
    },
  };
}

/** The widths of columns in characters, those of East Asia being twice as wide. @param records the titles and the first rows */
function widthsOf(records: readonly (readonly string[])[]): readonly number[] {
  const columns = Math.max(1, ...records.map(({ length }) => length));
  return Array.from({ length: columns }, (_, at) => {
    const texts = records.map((record) => (record[at] ?? '').slice(0, WIDEST));
    const longest = Math.max(...texts.map((text) => text.length + (text.match(/[\u2e80-\uffef]/gu)?.length ?? 0)), NARROWEST);
    return Math.min(WIDEST, longest + 2);
  });
}

/** @param titles the row of the titles; it and what is above stay in view */
const sheetStart = (widths: readonly number[], titles: number) =>
  `${START}<worksheet xmlns="${NAMESPACE}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${titles}" topLeftCell="A${titles + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')}</cols><sheetData>`;

const number = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/u;
const isoDay = /^(\d{4})-(\d{2})-(\d{2})$/u;
const day = /^(\d{2})\/(\d{2})\/(\d{4})(?: (\d{2}):(\d{2}):(\d{2}))?$/u;
const yearFirst = /^(\d{4})\/(\d{2})\/(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/u;

function cellOf(cell: string, kind: ColumnKind | undefined): string {
  if (cell === '') return '<c/>';
  if ((kind === 'number' || kind === 'value') && number.test(cell)) return numberCell(cell);
  if (kind === 'value' && (cell === 'true' || cell === 'false')) return `<c t="b"><v>${Number(cell === 'true')}</v></c>`;
  return (kind === 'time' ? dateCell(cell) : undefined) ?? textCell(workbookText(cell));
}

function numberCell(text: string): string {
  const point = text.indexOf('.');
  const style = point < 0 ? styles.whole : decimals[text.length - point - 1];
  return `<c${style === undefined ? '' : ` s="${style}"`}><v>${text}</v></c>`;
}

/** A day or time as our files write it, in the same form. */
function dateCell(text: string): string | undefined {
  if (!/^\d{2}/u.test(text)) return undefined;
  const iso = isoDay.exec(text);
  if (iso !== null) return serialCell(iso[1]!, iso[2]!, iso[3]!, undefined, styles.isoDay);
  const american = day.exec(text);
  if (american !== null) {
    const [, month = '', ofMonth = '', year = '', ...time] = american;
    return serialCell(year, month, ofMonth, time, time[0] === undefined ? styles.day : styles.time);
  }
  const other = yearFirst.exec(text);
  if (other === null) return undefined;
  const [, year = '', month = '', ofMonth = '', ...time] = other;
  return serialCell(year, month, ofMonth, time, time[0] === undefined ? styles.yearFirstDay : styles.yearFirstTime);
}

const DAY_MS = 86_400_000;
const EPOCH = Date.UTC(1899, 11, 30);

function serialCell(year: string, month: string, ofMonth: string, time: readonly (string | undefined)[] = [], style: number) {
  const [hour = 0, minute = 0, second = 0] = time.map((part) => Number(part ?? 0));
  const at = Date.UTC(Number(year), Number(month) - 1, Number(ofMonth), hour, minute, second);
  const isDay = new Date(at).getUTCDate() === Number(ofMonth) && Number(year) >= 1901 && hour < 24;
  return isDay ? `<c s="${style}"><v>${(at - EPOCH) / DAY_MS}</v></c>` : undefined;
}

/** As Excel accepts it, which also begins and ends with no apostrophe: a workbook with another name does not open. */
function sheetNameOf(name: string): string {
  const permitted = name
    .replaceAll(/[:\\/?*[\]']/gu, ' ')
    .slice(0, MAX_NAME)
    .trim();
  return permitted === '' ? 'List' : escapeXml(permitted).replaceAll('"', '&quot;');
}

function textCell(text: string, style = 0): string {
  const shown = escapeXml(text.slice(0, MAX_CELL));
  return `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${shown}</t></is></c>`;
}

/** Characters that XML cannot contain become blanks. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (sign === '\n' ? sign : ' '))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
