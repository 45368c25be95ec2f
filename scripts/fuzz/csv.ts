import { allOperations } from '@highline/contract/all-operations';
import * as fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { fixtures } from '@highline/testkit/calls';
import { serialize } from './api-requests.ts';
import { checkResponse } from './api.ts';
import { draw, runCases, type CaseNumbers } from './cases.ts';
import { hostileText } from './hostile.ts';
import { sendRaw } from './raw-call.ts';
import type { Report } from './report.ts';
import { createStage } from './stage.ts';
import type { Subject } from './subject.ts';

const WORKERS = 4;
const imports = allOperations.filter(({ bodyKind }) => bodyKind === 'multipart');

const marks = fc.constantFrom('', '\ufeff', '\ufeff\ufeff', '\ufffe', '\u0000', 'sep=;\r\n', '"sep=|"\n', '\ufeffsep=\t\r');
const ends = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\n\r', '\u2028', '\u0085', '');
const separators = fc.constantFrom(',', ',', ',', ';', '\t', '|', ',,');
const cells = fc.oneof(
  hostileText,
  fc.constantFrom('"', '""', '"""', '"a', 'a"b', '"a""b"', '"a,b"', '"a\nb"', '=1+1', '\t=1', '"x"y', "'", '\\"', ' "a" '),
  fc.constantFrom('01/01/2026', '12/31/2027', 'SN1', '00:1A:2B:3C:4D:5E', '2026-01-01'),
);
const rows = fc.array(fc.array(cells, { maxLength: 8 }), { maxLength: 30 });

/** A file of mostly one element, up to the largest body: separators, line ends, quotes, one cell. */
const monotone = (largest: number) =>
  fc
    .tuple(fc.constantFrom(',', '\n', '\r\n', '"', 'a', '"a",', ',\n', ' ', '\u0000', '""'), fc.integer({ min: 10, max: 100 }))
    .map(([text, share]) => text.repeat(Math.floor((largest * share) / 100 / text.length)));

/** An import file: with or without its own header, broken rows, and sometimes something huge. */
function fileFor(header: string, largest: number): fc.Arbitrary<string> {
  const broken = fc.tuple(
    marks,
    fc.constantFrom(header, header.toUpperCase(), '', `${header},${header}`),
    ends,
    separators,
    rows,
  );
  return fc.oneof(
    {
      weight: 60,
      arbitrary: broken.map(
        ([mark, head, end, separator, lines]) => `${mark}${head}${end}${lines.map((line) => line.join(separator)).join(end)}`,
      ),
    },
    { weight: 5, arbitrary: monotone(Math.min(largest, 100_000)).map((text) => `${header}\n${text}`) },
    { weight: 1, arbitrary: monotone(largest).map((text) => `${header}\n${text}`) },
    { weight: 1, arbitrary: monotone(largest) },
  );
}

/** The bytes of a text as spreadsheets save it, or as a workbook whose sheet is this text in XML, or not. */
const writings: Record<string, (text: string) => Uint8Array<ArrayBuffer>> = {
  'utf-8': (text) => new TextEncoder().encode(text),
  'utf-16le': (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')),
  'utf-16be': (text) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16()),
  latin1: (text) => new Uint8Array(Buffer.from(text, 'latin1')),
  // A cell is fifty times as long as its comma; making more would take longer than the calls that are measured.
  xlsx: (text) =>
    workbook(`<worksheet><sheetData>${text.slice(0, 200_000).split('\n').map(xmlRow).join('')}</sheetData></worksheet>`),
  'xlsx of anything': workbook,
};

const xmlRow = (line: string) =>
  `<row>${line
    .split(',')
    .map((cell) => `<c t="inlineStr"><is><t>${cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></is></c>`)
    .join('')}</row>`;

function workbook(sheet: string): Uint8Array<ArrayBuffer> {
  const parts = {
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': sheet,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

/** Every call that accepts a file, with files as a spreadsheet, a mistake or an attacker could produce. */
export async function fuzzCsv(subject: Subject, report: Report, numbers: CaseNumbers): Promise<void> {
  const { options } = report;
  const stage = await createStage(subject);
  await runCases(numbers, WORKERS, async (index) => {
    const operation = imports[index % imports.length]!;
    const tenant = await stage.tenant();
    const right = fixtures[operation.id]!.make(tenant, tenant);
    const header = typeof right.file === 'string' ? right.file.split('\n', 1)[0]! : 'SN,MAC';
    const file = draw(fileFor(header, options.largest), options.seed, index);
    const writing = draw(fc.constantFrom(...Object.keys(writings)), options.seed ^ 3, index);
    const role = draw(fc.constantFrom('main', 'admin', 'admin', 'user'), options.seed ^ 1, index);
    const queries = fc.constantFrom<Record<string, string>>({}, { dryRun: 'true' }, { dryRun: 'true', encoding: 'big5' });
    const query = draw(queries, options.seed ^ 2, index);
    const request = { ...right, query: { ...right.query, ...query }, file: writings[writing]!(file) };
    const raw = serialize(operation, request, subject.port, tenant.bearers[role as 'admin']);
    const response = await sendRaw(subject.port, raw, options.slowCallMs * 20);
    checkResponse(report, response, `${role} ${operation.id}, ${file.length} characters as ${writing}`, index);
    report.count('bytes', raw.body.length);
    report.cases++;
    if (response.status === 401) await stage.renew(tenant);
  });
}
