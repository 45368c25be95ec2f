import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { notTable } from './file-fault.ts';

/** What a reader of one part of a workbook does with its elements; names come without a prefix. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Elements within each other: a sheet has about ten. */
const MAX_DEPTH = 50;

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML piece by piece; entities other than the five of XML are faults, and nothing outside of the text is read.
 * @returns a generator that pauses behind each piece
 */
export async function* readXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder();
  parser.on('error', () => {
    throw notTable('The workbook is damaged.');
  });
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw notTable('The workbook is damaged.');
    handlers.open?.(localName(name), attributes);
  });
  parser.on('text', (text) => handlers.text?.(text));
  parser.on('cdata', (text) => handlers.text?.(text));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    handlers.close?.(localName(name));
  });
  for await (const piece of pieces) {
    parser.write(decoder.decode(piece, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** Reads all of a part. */
export async function readWholeXml(pieces: AsyncIterable<Buffer>, handlers: XmlHandlers): Promise<void> {
  const reading = readXml(pieces, handlers);
  while ((await reading.next()).done !== true);
}
