import { openRaw } from './raw.ts';

const columns = 'e.seq, e.at, e.actor_email, e.actor_role, e.address, e.action, e.detail';

export type RawLog = Awaited<ReturnType<typeof openRawLog>>;

export async function openRawLog(url: string, chain: string) {
  const { first, second, close } = await openRaw(url);
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
    page: (offset: number) => both('e.chain_id = $1', [], { offset, total: 'max(e.seq) - min(e.seq) + 1' }),
    since: (from: Date) => both('e.chain_id = $1 and e.at >= $2', [from]),
    search: (column: 'actor_email' | 'action', text: string) =>
      both(`e.chain_id = $1 and e.${column} like '%' || $2 || '%'`, [text]),
    close,
  };
}
