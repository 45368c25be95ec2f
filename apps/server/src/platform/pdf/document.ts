import { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { nextReply } from '../process/thread-reply.ts';
import type { Language } from '@highline/contract';

/** A column of a printed table. */
export interface PrintedColumn {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly kind?: 'number';
}

/** A part of a drawing, in points from its upper left corner. */
export type Shape =
  | { readonly path: string; readonly fill?: Tone; readonly stroke?: Tone; readonly width?: number }
  | { readonly text: string; readonly x: number; readonly y: number; readonly align?: 'left' | 'center' | 'right' };

/** Colours that differ on white paper, also without colour. */
export type Tone = 'ink' | 'soft' | 'line' | 'band' | 'accent' | 'good' | 'fair' | 'poor';

/** What a document is made of, from top to bottom. */
export type DocumentBlock =
  | { readonly kind: 'heading' | 'text' | 'note'; readonly text: string }
  /** Values with what they are, in a row. */
  | { readonly kind: 'figures'; readonly figures: readonly { readonly label: string; readonly value: string }[] }
  /** Vectors, `WIDTH` points wide on an upright page. */
  | { readonly kind: 'drawing'; readonly height: number; readonly shapes: readonly Shape[] }
  /** The rows that follow are of this table. */
  | { readonly kind: 'table'; readonly columns: readonly PrintedColumn[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly string[])[] };

export interface DocumentHead {
  readonly title: string;
  /** Below the title, a line each: whose, of which time, in which zone, with which filters. */
  readonly lines: readonly string[];
  /** At the foot of each page, before its number. */
  readonly foot: string;
  readonly language: Language;
  /** A PNG or JPEG at the upper right corner of the first page. */
  readonly logo?: Uint8Array | undefined;
  /** For wide tables. */
  readonly isLandscape?: boolean;
}

/** The width of drawings, in points. */
export const DRAWING_WIDTH = 515;

const MEMORY_MB = 256;

/**
 * A PDF file (A4, Noto Sans with Traditional Chinese embedded) from its parts, made in a thread while they are read: a page of a table
 * takes tens of milliseconds (RPM-02). Its text can be searched and copied.
 */
export function writeDocument(head: DocumentHead, blocks: AsyncIterable<DocumentBlock>): Readable {
  return Readable.from(written(head, blocks), { objectMode: false, highWaterMark: 65_536 });
}

async function* written(head: DocumentHead, blocks: AsyncIterable<DocumentBlock>): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL('document.worker.ts', import.meta.url), {
    workerData: head,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  try {
    for await (const block of blocks) await nextReply(worker, block);
    yield await nextReply(worker, 'end');
  } finally {
    await worker.terminate();
  }
}
