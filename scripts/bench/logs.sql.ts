import { Client } from 'pg';

/** The log as handwritten SQL: what an expert writes directly against PostgreSQL. */
export interface RawLog {
  page(offset: number): Promise<unknown>;
  since(from: Date): Promise<unknown>;
  search(column: 'actor_email' | 'action', text: string): Promise<unknown>;
  close(): Promise<void>;
}

const columns = 'e.seq, e.at, e.actor_email, e.actor_role, e.address, e.action, e.detail';

export async function openRawLog(url: string, chain: string): Promise<RawLog> {
  const [first, second] = await Promise.all([connect(url), connect(url)]);
  const both = (where: string, values: readonly unknown[], { offset = 0, total = 'count(*)' } = {}) =>
    Promise.all([
      first.query({
        text: `select ${columns} from audit_entries e where ${where} order by e.at desc, e.seq desc limit 11 offset ${offset}`,
        values: [chain, ...values],
      }),
      second.query({ text: `select (${total})::int as total from audit_entries e where ${where}`, values: [chain, ...values] }),
    ]);
  return {
    // A chain has no gaps: its first and last number give its length.
    page: (offset) => both('e.chain_id = $1', [], { offset, total: 'max(e.seq) - min(e.seq) + 1' }),
    since: (from) => both('e.chain_id = $1 and e.at >= $2', [from]),
    search: (column, text) => both(`e.chain_id = $1 and e.${column} like '%' || $2 || '%'`, [text]),
    async close() {
      await Promise.all([first.end(), second.end()]);
    },
  };
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  await client.connect();
  return client;
}
