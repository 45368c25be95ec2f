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
  /** Vectors, `WIDTH` points wide on an upright page, scaled to that of a wide one. */
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

const MEMORY_MB = 256;

/**
 * A PDF file (A4, Noto Sans with Traditional Chinese embedded) from its parts, made in a thread while they are read: a page of a table
 * takes tens of milliseconds (RPM-02). Its text can be searched and copied.
 */
export function writeDocument(head: DocumentHead, blocks: AsyncIterable<DocumentBlock>): Readable {
  return Readable.from(written(head, blocks), { objectMode: false, highWaterMark: 65_536 });
}

async function* written(head: DocumentHead, blocks: AsyncIterable<DocumentBlock>): AsyncGenerator<Uint8Array> {
  const worker = takeWorker();
  let isDone = false;
  try {
    await nextReply(worker, head);
    for await (const block of blocks) await nextReply(worker, block);
    const bytes = await nextReply(worker, 'end');
    isDone = true;
    yield bytes;
  } finally {
    if (isDone) keepWorker(worker);
    else await worker.terminate();
  }
}

/** Threads that have made a document and wait for another: to start one takes four times as long as a page. */
const idle = new Map<Worker, NodeJS.Timeout>();
const MOST_IDLE = 1;
const IDLE_MS = 10_000;

function takeWorker(): Worker {
  const [kept] = idle.keys();
  if (kept === undefined) return startWorker();
  clearTimeout(idle.get(kept));
  idle.delete(kept);
  kept.ref();
  return kept;
}

function startWorker(): Worker {
  const worker = new Worker(new URL('document.worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  return worker.once('exit', () => idle.delete(worker));
}

function keepWorker(worker: Worker): void {
  if (idle.size >= MOST_IDLE) return void worker.terminate();
  const end = () => {
    // At once: it takes a while to exit, and no document may be given to it meanwhile.
    idle.delete(worker);
    void worker.terminate();
  };
  worker.removeAllListeners('message').removeAllListeners('error').once('error', end).unref();
  idle.set(worker, setTimeout(end, IDLE_MS).unref());
}
