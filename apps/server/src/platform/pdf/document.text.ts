import { createRequire } from 'node:module';
import { breakLines, isOfBase, orderRuns, scripts, type HasCharacter, type Script, type TextRun } from './text-runs.ts';

export type Weight = 'regular' | 'bold';

const { resolve } = createRequire(import.meta.url);
const weights: Readonly<Record<Weight, string>> = { regular: '400Regular', bold: '700Bold' };
const families: Readonly<Record<Script, readonly [path: string, file: string]>> = {
  base: ['noto-sans-tc', 'NotoSansTC'],
  hebrew: ['noto-sans-hebrew', 'NotoSansHebrew'],
  arabic: ['ibm-plex-sans-arabic', 'IBMPlexSansArabic'],
  emoji: ['noto-emoji', 'NotoEmoji'],
};
const fontFile = (script: Script, weight: Weight) => {
  const [path, file] = families[script];
  return resolve(`@expo-google-fonts/${path}/${weights[weight]}/${file}_${weights[weight]}.ttf`);
};

/** What pdfkit knows of an embedded font; its types leave it out. */
interface OpenedFont {
  readonly ascender: number;
  /** The characters of each glyph that is used. */
  readonly unicode: number[][];
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
}

export interface PlacedText {
  readonly width: number;
  /** The most lines; what is longer ends with an ellipsis. */
  readonly lines: number;
  readonly align?: 'left' | 'right';
}

/** Writes text of any script into one document: what the main font lacks is written in others, and from right to left where it is read so. */
export class TextWriter {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #known = Object.fromEntries(scripts.map((script) => [script, new Map<number, boolean>()])) as Readonly<
    Record<Script, Map<number, boolean>>
  >;
  readonly #rightToLeft = new Set<OpenedFont>();
  #weight: Weight = 'regular';
  #size = 12;

  constructor(pdf: PDFKit.PDFDocument) {
    this.#pdf = pdf;
    for (const script of scripts)
      for (const weight of ['regular', 'bold'] as const) pdf.registerFont(`${script} ${weight}`, fontFile(script, weight));
    this.use(this.#weight, this.#size);
  }

  /** Set the weight and the size of the texts that follow. */
  use(weight: Weight, size: number): void {
    this.#weight = weight;
    this.#size = size;
    this.#pdf.font(`base ${weight}`).fontSize(size);
  }

  /** Before the document ends: readers of text turn all that is from right to left, and with it the letters of one glyph. */
  end(): void {
    for (const { unicode } of this.#rightToLeft)
      for (const [glyph, letters] of unicode.entries()) unicode[glyph] = letters.toReversed();
  }

  widthOf(text: string): number {
    if (this.#isPlain(text)) return this.#pdf.widthOfString(text);
    return orderRuns(text, this.#has).reduce((sum, run) => sum + this.#widthOfRun(run), 0);
  }

  /** How many lines a text has in this width, at most as many. */
  countLines(text: string, width: number, most: number): number {
    if (this.widthOf(text) <= width) return 1;
    if (!this.#isPlain(text)) return breakLines(text, width, most, (each) => this.widthOf(each)).length;
    return Math.min(most, Math.round(this.#pdf.heightOfString(text, { width }) / this.#pdf.currentLineHeight(true)));
  }

  /** Write a text into a frame; the document goes on below it. */
  place(text: string, x: number, y: number, { width, lines, align = 'left' }: PlacedText): void {
    const height = this.#pdf.currentLineHeight(true);
    if (this.#isPlain(text)) {
      const limit = Number.isFinite(lines) ? { height: lines * height, ellipsis: true } : {};
      this.#pdf.text(text, x, y, { width, align, ...limit });
      return;
    }
    const broken = breakLines(text, width, lines, (each) => this.widthOf(each));
    for (const [at, line] of broken.entries())
      this.#writeLine(line, align === 'right' ? x + width - this.widthOf(line) : x, y + at * height);
    this.#pdf.y = y + broken.length * height;
  }

  /** Write a text in one line, however long it is. */
  placeLine(text: string, x: number, y: number): void {
    if (this.#isPlain(text)) this.#pdf.text(text, x, y, { lineBreak: false });
    else this.#writeLine(text, x, y);
  }

  #writeLine(line: string, x: number, y: number): void {
    const base = y + (this.#fontOf('base').ascender / 1000) * this.#size;
    let at = x;
    for (const run of orderRuns(line, this.#has)) {
      const width = this.#widthOfRun(run);
      this.#writeRun(run, at, base);
      at += width;
    }
    this.#pdf.font(`base ${this.#weight}`);
  }

  #writeRun({ script, text, actual }: TextRun, x: number, y: number): void {
    this.#fontOf(script);
    if (actual !== undefined) this.#pdf.markContent('Span', { actual });
    this.#pdf.text(text, x, y, { lineBreak: false, baseline: 'alphabetic', ...wholeRun(script) });
    if (actual !== undefined) this.#pdf.endMarkedContent();
  }

  #widthOfRun({ script, text }: TextRun): number {
    this.#fontOf(script);
    const width = this.#pdf.widthOfString(text, wholeRun(script));
    this.#pdf.font(`base ${this.#weight}`);
    return width;
  }

  readonly #has: HasCharacter = (script, codePoint) => {
    const known = this.#known[script].get(codePoint);
    if (known !== undefined) return known;
    const has = this.#fontOf(script).font.hasGlyphForCodePoint(codePoint);
    this.#pdf.font(`base ${this.#weight}`);
    this.#known[script].set(codePoint, has);
    return has;
  };

  #isPlain(text: string): boolean {
    return isOfBase(text, this.#has);
  }

  /** Choose the font of a script. */
  #fontOf(script: Script): OpenedFont {
    this.#pdf.font(`${script} ${this.#weight}`);
    const opened = (this.#pdf as unknown as Readonly<Record<'_font', OpenedFont>>)['_font'];
    if (script === 'hebrew' || script === 'arabic') this.#rightToLeft.add(opened);
    return opened;
  }
}

/** With a list of features a run is laid out as a whole, not in parts: texts from right to left stand in their order. */
const wholeRun = (script: Script): { features?: PDFKit.Mixins.OpenTypeFeatures[] } => (script === 'base' ? {} : { features: [] });
