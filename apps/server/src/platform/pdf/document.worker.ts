// A separate thread: fonts are cut to the characters of a document, and a page takes tens of milliseconds.
import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import PdfDocument from 'pdfkit';
import { lowerThreadPriority } from '../process/thread-priority.ts';
import { DRAWING_WIDTH } from './drawing.ts';
import { TextWriter, type Weight } from './document.text.ts';
import type { DocumentBlock, DocumentHead, PrintedColumn, Shape, Tone } from './document.ts';

const colors: Readonly<Record<Tone, string>> = {
  ink: '#1a1d21',
  soft: '#5b636e',
  line: '#c9ced6',
  band: '#f0f2f5',
  accent: '#1f5fbf',
  good: '#2b7a4b',
  fair: '#b07a10',
  poor: '#b3261e',
};
const MARGIN = 40;
/** The most space of a logo. */
const LOGO = [140, 40] as const;
const SIZE = { title: 18, heading: 12, text: 9.5, cell: 8, foot: 7.5 } as const;
const CELL_PAD = 4;
/** Lines of one cell; what is longer ends with an ellipsis. */
const CELL_LINES = 3;
/** Rows from which the widths of a table are taken, and of these the longest texts of each column that are measured. */
const SAMPLE = 2_000;
const MEASURED = 50;

const left = MARGIN;
lowerThreadPriority();

// The document that is being made; a thread makes one at a time.
let head: DocumentHead;
let pdf: PDFKit.PDFDocument;
let writer: TextWriter;
let pieces: Buffer[];
let width: number;
let bottom: number;

function open(given: DocumentHead): void {
  head = given;
  pieces = [];
  pdf = new PdfDocument({
    size: 'A4',
    layout: head.isLandscape === true ? 'landscape' : 'portrait',
    margin: MARGIN,
    // The number of pages stands on each of them.
    bufferPages: true,
    lang: head.language,
    displayTitle: true,
    info: { Title: head.title, Creator: 'Highline' },
  });
  pdf.on('data', (piece: Buffer) => pieces.push(piece));
  writer = new TextWriter(pdf);
  width = pdf.page.width - 2 * MARGIN;
  bottom = pdf.page.height - MARGIN - 14;
  writeHead();
}

interface Table {
  readonly columns: readonly PrintedColumn[];
  widths?: readonly number[];
  waiting: (readonly string[])[];
}
let table: Table | undefined;

/** Begin a page if less than this is left. @returns whether one was begun */
function makeSpace(height: number): boolean {
  if (pdf.y + height <= bottom) return false;
  pdf.addPage();
  pdf.y = MARGIN;
  return true;
}

/** A paragraph. @param across its width: that of the page */
function write(text: string, font: Weight, size: number, tone: Tone, after = 4, across = width): void {
  writer.use(font, size);
  pdf.fillColor(colors[tone]);
  makeSpace(pdf.currentLineHeight(true));
  writer.place(text, left, pdf.y, { width: across, lines: Number.POSITIVE_INFINITY });
  pdf.y += after;
}

function writeFigures(figures: readonly { readonly label: string; readonly value: string }[]): void {
  const each = width / Math.max(1, figures.length);
  makeSpace(40);
  const top = pdf.y;
  for (const [index, { label, value }] of figures.entries()) {
    const x = left + index * each;
    writer.use('bold', 14);
    pdf.fillColor(colors.ink);
    writer.place(value, x, top, { width: each - 8, lines: 1 });
    writer.use('regular', SIZE.cell);
    pdf.fillColor(colors.soft);
    writer.place(label, x, top + 19, { width: each - 8, lines: 2 });
  }
  pdf.y = top + 46;
}

/** Drawings are as wide as the page, their text as large as elsewhere. */
function draw(height: number, shapes: readonly Shape[]): void {
  const scale = width / DRAWING_WIDTH;
  makeSpace(height * scale);
  const top = pdf.y;
  pdf.save().translate(left, top).scale(scale);
  for (const shape of shapes) drawShape(shape, SIZE.foot / scale);
  pdf.restore();
  pdf.y = top + height * scale + 8;
}

function drawShape(shape: Shape, size: number): void {
  if ('path' in shape) {
    pdf.path(shape.path).lineWidth(shape.width ?? 1);
    // An area with an edge is pale, so that its text can be read.
    if (shape.fill !== undefined && shape.stroke !== undefined)
      pdf.save().fillOpacity(0.35).fillAndStroke(colors[shape.fill], colors[shape.stroke]).restore();
    else if (shape.fill !== undefined) pdf.fill(colors[shape.fill]);
    else pdf.stroke(colors[shape.stroke ?? 'ink']);
    return;
  }
  writer.use('regular', size);
  pdf.fillColor(colors.ink);
  const length = writer.widthOf(shape.text);
  const shift = { left: 0, center: length / 2, right: length }[shape.align ?? 'left'];
  writer.placeLine(shape.text, shape.x - shift, shape.y);
}

/** The widths of columns: as wide as their text where there is space, and the widest ones narrower where there is not. */
function widthsOf({ columns, waiting }: Table): readonly number[] {
  writer.use('regular', SIZE.cell);
  const desired = columns.map(({ title }, at) => {
    const texts = longest(waiting.map((row) => (row[at] ?? '').slice(0, 200))).map((text) => writer.widthOf(text));
    return Math.min(220, Math.max(titleWidth(title), ...texts)) + 2 * CELL_PAD + 2;
  });
  const sum = desired.reduce((total, each) => total + each, 0);
  if (sum <= width) return desired.map((each) => each + (width - sum) / columns.length);
  const most = widestOf(desired, width);
  return desired.map((each) => Math.min(each, most));
}

/** The widest texts are among those with the most bytes: letters of one byte are narrow, Chinese ones of three are wide. */
function longest(texts: readonly string[]): readonly string[] {
  const bytes = new Map(texts.map((text) => [text, Buffer.byteLength(text)]));
  return [...bytes.keys()].toSorted((a, b) => bytes.get(b)! - bytes.get(a)!).slice(0, MEASURED);
}

/** A title may have two lines, but no word of it does. */
function titleWidth(title: string): number {
  writer.use('bold', SIZE.cell);
  const parts = title.split(' ');
  const widths = parts.map((_, at) =>
    Math.max(...[parts.slice(0, at + 1), parts.slice(at + 1)].map((line) => writer.widthOf(line.join(' ')))),
  );
  writer.use('regular', SIZE.cell);
  return Math.min(...widths);
}

/** The width of the widest columns with which all of them fit: the narrow ones keep their width, so that only long texts have several lines. */
function widestOf(desired: readonly number[], space: number): number {
  let rest = space;
  for (const [index, each] of desired.toSorted((a, b) => a - b).entries()) {
    const fair = rest / (desired.length - index);
    if (each > fair) return fair;
    rest -= each;
  }
  return rest;
}

function writeRow({ columns, widths = [] }: Table, row: readonly string[], font: Weight): void {
  writer.use(font, SIZE.cell);
  const line = pdf.currentLineHeight(true);
  const inner = widths.map((each) => each - 2 * CELL_PAD);
  const most = Math.max(1, ...row.map((text, at) => writer.countLines(text.slice(0, 500), inner[at] ?? 1, CELL_LINES)));
  const height = most * line + 2 * CELL_PAD;
  if (makeSpace(height) && font === 'regular') writeTitles(table!);
  writer.use(font, SIZE.cell);
  const top = pdf.y;
  let x = left;
  if (font === 'bold') pdf.rect(left, top, width, height).fill(colors.band);
  for (const [at, text] of row.entries()) {
    const align = columns[at]?.kind === 'number' ? 'right' : 'left';
    pdf.fillColor(colors.ink);
    writer.place(text, x + CELL_PAD, top + CELL_PAD, { width: inner[at] ?? 0, lines: most, align });
    x += widths[at] ?? 0;
  }
  pdf
    .lineWidth(0.4)
    .moveTo(left, top + height)
    .lineTo(left + width, top + height)
    .stroke(colors.line);
  pdf.y = top + height;
}

const writeTitles = (of: Table) =>
  writeRow(
    of,
    of.columns.map(({ title }) => title),
    'bold',
  );

/** Rows wait until the widths of their columns are known. */
function addRows(rows: readonly (readonly string[])[], isLast = false): void {
  if (table === undefined) return;
  table.waiting.push(...rows);
  if (table.widths === undefined) {
    if (table.waiting.length < SAMPLE && !isLast) return;
    table.widths = widthsOf(table);
    makeSpace(60);
    writeTitles(table);
  }
  for (const row of table.waiting.splice(0)) writeRow(table, row, 'regular');
}

function endTable(): void {
  if (table === undefined) return;
  addRows([], true);
  table = undefined;
  pdf.y += 10;
}

/** What a heading, and the beginning of a table, take. */
const HEADING = 30;
const TABLE = 80;
/** It waits for what it is about, so that it does not stand alone at the foot of a page. */
let heading: string | undefined;

function writeHeading(next: DocumentBlock | undefined): void {
  if (heading === undefined) return;
  const text = heading;
  heading = undefined;
  const after = next?.kind === 'drawing' ? (next.height * width) / DRAWING_WIDTH : next?.kind === 'table' ? TABLE : HEADING;
  makeSpace(HEADING + after);
  pdf.y += 6;
  write(text, 'bold', SIZE.heading, 'ink');
}

function add(block: DocumentBlock): void {
  if (block.kind === 'rows') return addRows(block.rows);
  endTable();
  writeHeading(block);
  switch (block.kind) {
    case 'heading': {
      heading = block.text;
      return;
    }
    case 'text': {
      return write(block.text, 'regular', SIZE.text, 'ink');
    }
    case 'note': {
      return write(block.text, 'regular', SIZE.cell, 'soft');
    }
    case 'figures': {
      return writeFigures(block.figures);
    }
    case 'drawing': {
      return draw(block.height, block.shapes);
    }
    case 'table': {
      table = { columns: block.columns, waiting: [] };
    }
  }
}

/** The foot of each page, and the end of the file. */
async function finish(): Promise<Uint8Array<ArrayBuffer>> {
  endTable();
  writeHeading(undefined);
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    pdf.switchToPage(page);
    // A text below the margin would begin another page.
    pdf.page.margins.bottom = 0;
    writer.use('regular', SIZE.foot);
    pdf.fillColor(colors.soft);
    const [number, foot] = [`${page - start + 1} / ${count}`, pdf.page.height - MARGIN];
    writer.place(head.foot, left, foot, { width: width - 60, lines: 1 });
    writer.placeLine(number, left + width - writer.widthOf(number), foot);
  }
  writer.end();
  await new Promise<void>((done) => {
    pdf.once('end', done);
    pdf.end();
  });
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces.splice(0)) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** What the document is about, with the logo at its right. */
function writeHead(): void {
  const [logoWidth, logoHeight] = head.logo === undefined ? [0, 0] : LOGO;
  if (head.logo !== undefined)
    pdf.image(Buffer.from(head.logo), left + width - logoWidth, MARGIN - 14, { fit: [logoWidth, logoHeight], align: 'right' });
  pdf.y = MARGIN;
  const across = head.logo === undefined ? width : width - logoWidth - 2 * CELL_PAD;
  write(head.title, 'bold', SIZE.title, 'ink', 4, across);
  for (const line of head.lines) write(line, 'regular', SIZE.text, 'soft', 1, across);
  pdf.y = Math.max(pdf.y, MARGIN - 14 + logoHeight) + 10;
}

for await (const [message] of on(parentPort!, 'message') as AsyncIterable<[DocumentHead | DocumentBlock | 'end']>) {
  if (message === 'end') {
    const bytes = await finish();
    parentPort!.postMessage(bytes, [bytes.buffer]);
    continue;
  }
  if ('kind' in message) add(message);
  else open(message);
  parentPort!.postMessage(new Uint8Array(0), []);
}
