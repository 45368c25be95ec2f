import { expect, test, vi } from 'vitest';
import { readPdfPages } from '../../testing/pdf.ts';
import { writeDocument, type DocumentBlock } from './document.ts';

const head = { title: 'Report', lines: ['Own'], foot: 'Report', language: 'en-US' } as const;

async function pagesOf(blocks: readonly DocumentBlock[], isLandscape = false): Promise<string[]> {
  const source = async function* () {
    yield* blocks;
  };
  const pieces: Buffer[] = [];
  for await (const piece of writeDocument({ ...head, isLandscape }, source())) pieces.push(piece as Buffer);
  return readPdfPages(Buffer.concat(pieces));
}

test('RPM-02-partial a heading stands on the page of what it is about, wherever the page ends; documents one after another are each whole', async () => {
  for (let lines = 25; lines < 45; lines += 3) {
    const text = Array.from({ length: lines }, (_, at): DocumentBlock => ({ kind: 'text', text: `Line ${at}` }));
    const pages = await pagesOf([
      ...text,
      { kind: 'heading', text: 'Drawn' },
      { kind: 'drawing', height: 200, shapes: [{ text: 'Axis', x: 0, y: 0 }] },
      ...text,
      { kind: 'heading', text: 'Listed' },
      { kind: 'table', columns: [{ title: 'Column' }] },
      { kind: 'rows', rows: [['Cell']] },
    ]);
    for (const page of pages) {
      expect(page.includes('Drawn'), `${lines}`).toBe(page.includes('Axis'));
      expect(page.includes('Listed'), `${lines}`).toBe(page.includes('Cell'));
    }
    expect(pages.join(' ')).toContain(`Line ${lines - 1}`);
  }
});

test('RPM-02-partial several documents at once do not mix', async () => {
  const documents = await Promise.all(
    ['One', 'Two', 'Three'].map((text) =>
      pagesOf(
        [
          { kind: 'heading', text },
          { kind: 'text', text: `Of ${text}` },
        ],
        true,
      ),
    ),
  );
  expect(documents.map(([page]) => /Of (\w+)/u.exec(page!)?.[1])).toEqual(['One', 'Two', 'Three']);
  for (const pages of documents) expect(pages).toHaveLength(1);
});

test('RPM-02-partial a document that begins while the thread of the one before ends is whole', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await pagesOf([{ kind: 'text', text: 'First' }]);
    // The thread has to end, and has not ended yet.
    vi.runAllTimers();
    expect((await pagesOf([{ kind: 'text', text: 'Second' }])).join(' ')).toContain('Second');
  } finally {
    vi.useRealTimers();
  }
});

test('RPM-02-partial a column is as wide as the longest number in it, wherever that stands: only long texts have several lines', async () => {
  const long = '310-410-20148-7';
  const titles = [
    'Vehicle',
    'Serial number',
    'From',
    'Until',
    'Minutes',
    'Reason',
    'Carrier',
    'Serving cell',
    'RSRP before (dBm)',
    'Last place',
  ];
  const place = 'Lincoln Avenue at Racine Avenue, 3 mi (4.8 km) north of Downtown';
  const row = (cell: string) => [
    'Bus 2166',
    'HL26A10580',
    '10/31/2026 11:14:00',
    '10/31/2026 11:19:00',
    '5.0',
    'No answer',
    'AT&T',
    cell,
    '-124',
    place,
  ];
  const pages = await pagesOf(
    [
      { kind: 'table', columns: titles.map((title) => ({ title })) },
      { kind: 'rows', rows: Array.from({ length: 150 }, (_, at) => row(at === 140 ? long : '7')) },
    ],
    true,
  );
  expect(pages.join(' ')).toContain(long);
});

test('RPM-02-partial names from right to left, emoji, and characters of no font are in a document, each as it is read', async () => {
  const names = ['אוטובוס חיפה', 'حافلة القاهرة', 'قطار الإسلام فلا ١٢٣', '🚌 Bus 12', '👨‍👩‍👧 (חיפה) 7', '<b>=1+1</b>'];
  const [page] = await pagesOf([
    { kind: 'table', columns: [{ title: 'Name' }, { title: 'Kind', kind: 'number' }] },
    { kind: 'rows', rows: [...names, 'กรุง', 'A\u202eB\u0007'].map((name) => [name, `of ${name}`]) },
    { kind: 'rows', rows: [['אבג דהו '.repeat(60), 'long']] },
  ]);
  for (const name of [
    'אוטובוס חיפה',
    'حافلة القاهرة',
    'قطار الإسلام فلا',
    '١٢٣',
    '🚌 Bus 12',
    '👨‍👩‍👧',
    '(חיפה)',
    '<b>=1+1</b>',
    '???',
    'AB',
    '…',
  ])
    expect(page, name).toContain(name);
  // What a program reads where a font has no such character.
  expect(page).not.toMatch(/[\0\ufffd\u202e]/u);
});
