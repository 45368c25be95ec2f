import createBidi from 'bidi-js';

/** Fonts of documents, in the order in which a character is looked for. */
export const scripts = ['base', 'hebrew', 'arabic', 'emoji'] as const;
export type Script = (typeof scripts)[number];

/** Text in one font and one direction, in the order in which its font expects it. */
export interface TextRun {
  readonly script: Script;
  readonly text: string;
  /** What a reader copies, where signs stand for characters that no font has. */
  readonly actual?: string;
}

/** Whether a font has a character. */
export type HasCharacter = (script: Script, codePoint: number) => boolean;

// Its types describe a module of another kind.
const bidi = (createBidi as unknown as typeof createBidi.default)();
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** They would turn what stands after them, or draw nothing; names need none of them. */
const CONTROLS = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;
/** Says only how the character before it is to be drawn. */
const SELECTORS = /[\ufe0e\ufe0f]/gu;
const JOINER = 0x200d;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
/** Stands for a character that no font has. */
const MISSING = '?';

/** Whether the main font alone can write a text, from left to right. */
export const isOfBase = (text: string, has: HasCharacter): boolean => {
  for (const character of text) {
    const codePoint = character.codePointAt(0)!;
    // A line ends there, or there is a blank.
    if (codePoint >= 0x20 && !has('base', codePoint)) return false;
  }
  return true;
};

interface Cluster extends TextRun {
  readonly level: number;
}

/**
 * A line as runs from left to right: letters from right to left are in their order, each character in a font that has it. The line itself runs from left
 * to right, as in the console.
 */
export function orderRuns(line: string, has: HasCharacter): readonly TextRun[] {
  const text = line.replaceAll(/\s/gu, ' ').replaceAll(CONTROLS, '');
  const levels = bidi.getEmbeddingLevels(text, 'ltr');
  const runs: Cluster[] = [];
  for (const { segment, index } of clusters.segment(text)) {
    const next = chooseFont(segment, levels.levels[index]!, runs.at(-1), has);
    const last = runs.at(-1);
    if (last !== undefined && isOneRun(last, next)) runs[runs.length - 1] = { ...next, text: last.text + next.text };
    else runs.push(next);
  }
  return inVisualOrder(runs).map(turned);
}

/** Fonts turn all that is in their script: a number of Arabic, which is read from left to right, has a run for each digit. */
const isOneRun = (last: Cluster, next: Cluster) =>
  last.script === next.script &&
  last.level === next.level &&
  (last.actual ?? next.actual) === undefined &&
  (last.level % 2 === 1 || last.script === 'base' || last.script === 'emoji');

function chooseFont(segment: string, level: number, before: Cluster | undefined, has: HasCharacter): Cluster {
  const text = segment.replaceAll(SELECTORS, '');
  const isIn = (script: Script) =>
    Array.from(text).every((each) => each.codePointAt(0) === JOINER || has(script, each.codePointAt(0)!));
  // Blanks between texts of one direction do not divide their run.
  const first = level % 2 === 1 && before?.level === level ? [before.script] : [];
  const script = [...first, ...scripts].find(isIn);
  if (script !== undefined) return { script, text, level };
  return { script: 'base', text: MISSING, actual: segment, level };
}

/** From the highest level to the lowest odd one, each row of runs of at least this level is reversed (UAX #9, L2). */
function inVisualOrder(runs: readonly Cluster[]): readonly Cluster[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level -= 1)
    for (let at = 0; at < ordered.length; at += 1) {
      let end = at;
      while (end < ordered.length && ordered[end]!.level >= level) end += 1;
      ordered.splice(at, end - at, ...ordered.slice(at, end).reverse());
      at = Math.max(at, end - 1);
    }
  return ordered;
}

/** Fonts turn texts of their script themselves; signs without a direction stand here, with brackets of the other side. */
function turned({ level, text, ...run }: Cluster): TextRun {
  if (level % 2 === 0) return { ...run, text };
  const mirrored = charactersOf(text).map((each) => bidi.getMirroredCharacter(each) ?? each);
  return { ...run, text: (RIGHT_TO_LEFT.test(text) ? mirrored : mirrored.reverse()).join('') };
}

/** Where a line may end: after blanks, and between characters of Chinese. */
const UNITS = /\p{Ideographic}\s*|(?:(?!\p{Ideographic})\S)+\s*|\s+/gu;

/** Break a text into at most this many lines, the last of which may end with an ellipsis. @param widthOf of a text, in points */
export function breakLines(text: string, width: number, most: number, widthOf: (text: string) => number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const units = text.replaceAll(/\s+/gu, ' ').match(UNITS) ?? [];
  for (const unit of units.flatMap((each) => (widthOf(each.trimEnd()) <= width ? [each] : charactersOf(each)))) {
    if (line !== '' && widthOf((line + unit).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += unit;
    if (lines.length === most) break;
  }
  if (lines.length < most) return [...lines, line.trimEnd()];
  return [...lines.slice(0, -1), shortened(lines.at(-1)!, width, widthOf)];
}

const charactersOf = (text: string) => [...clusters.segment(text)].map(({ segment }) => segment);

function shortened(line: string, width: number, widthOf: (text: string) => number): string {
  const characters = charactersOf(line);
  while (characters.length > 0 && widthOf(`${characters.join('')}…`) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
