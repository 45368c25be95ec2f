import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepAtStart, sweepUploads } from './upload.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'highline-spool-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('FWR-02-partial leftovers of an upload whose process ended are deleted after a day; a running one and foreign files stay', async () => {
  const now = new Date();
  const daysAgo = new Date(now.getTime() - 25 * 3_600_000);
  for (const name of ['upload-old', 'upload-new', 'other']) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'file'), 'x');
    if (name !== 'upload-new') await utimes(join(folder, name), daysAgo, daysAgo);
  }
  await sweepUploads(folder, now);
  expect((await readdir(folder)).toSorted((a, b) => a.localeCompare(b))).toEqual(['other', 'upload-new']);
  await sweepUploads(join(folder, 'nowhere'), now);
});

test('leftovers of uploads and answers from earlier processes are deleted at a start, however young; foreign files stay', async () => {
  for (const name of ['upload-Xy12', 'answer-1-x']) await mkdir(join(folder, name));
  await sweepAtStart(folder);
  expect(await readdir(folder)).toEqual(['other']);
  await sweepAtStart(join(folder, 'nowhere'));
});
