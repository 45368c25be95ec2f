import { Client } from 'pg';

/** Lists as handwritten SQL, what an expert writes directly against PostgreSQL: two connections, a page and its total at once. */
export async function openRaw(url: string) {
  const [first, second] = [new Client(url), new Client(url)];
  await Promise.all([first.connect(), second.connect()]);
  return {
    first,
    second,
    async close(): Promise<void> {
      await Promise.all([first.end(), second.end()]);
    },
  };
}
