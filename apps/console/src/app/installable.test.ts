import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../public');
const read = (name: string) => readFileSync(join(folder, name));

test('SAY-09-partial the console installs as an app: its manifest names icons that have the sizes they say', () => {
  const page = readFileSync(join(folder, '../index.html'), 'utf8');
  expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
  const { display, icons, start_url: start } = JSON.parse(read('manifest.webmanifest').toString('utf8'));
  expect([display, start]).toEqual(['standalone', '/']);
  const pictures = icons.filter(({ type }: { type: string }) => type === 'image/png');
  expect(pictures).toHaveLength(3);
  for (const { src, sizes } of pictures) {
    const picture = read(src);
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`).toBe(sizes);
  }
});

test('SAY-09-partial its service worker answers no request and stores nothing: a page is never older than the server', () => {
  const source = read('service-worker.js')
    .toString('utf8')
    .replaceAll(/\/\/.*/gu, '');
  expect(source).toContain("addEventListener('activate'");
  expect(source).not.toMatch(/\bfetch\b|\bcaches\b/u);
});
