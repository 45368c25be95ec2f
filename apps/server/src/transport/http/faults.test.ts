import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { createHttpServer } from './server.ts';

const app = useTestApp();
const log = createLog('silent');
let server: Awaited<ReturnType<typeof createHttpServer>>;

const statements: Readonly<Record<string, readonly [sql: string, value: string]>> = {
  '22003': ['select $1::int', '99999999999'],
  '22007': ['select $1::date', 'soon'],
  '22008': ['select $1::date', '2026-02-31'],
  '22021': ['select $1::text', '\0'],
  '22P02': ['select $1::uuid', 'x'],
  '22P05': ['select $1::jsonb ->> 0', String.raw`["\u0000"]`],
  '22012': ['select 1 / $1::int', '0'],
};

beforeAll(async () => {
  server = await createHttpServer({ log, trustedProxies: ['loopback'], tls: undefined, secure: false, isBusy: () => false });
  server.get<{ Params: { state: string } }>('/:state', ({ params }) => {
    const [sql, value] = statements[params.state]!;
    return app.owner.query(sql, [value]);
  });
});
afterAll(() => server.close());

test.each([
  ...['22003', '22007', '22008', '22021', '22P02', '22P05'].map((state) => [state, 400, 'request.invalid'] as const),
  ['22012', 500, 'server.fault'] as const,
])('API-01-partial API-02-partial an error %s of PostgreSQL is a %i, and is logged', async (state, status, key) => {
  const error = vi.spyOn(log, 'error');
  const response = await server.inject(`/${state}`);
  expect([response.statusCode, response.json().error.key]).toEqual([status, key]);
  expect(error).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ err: expect.objectContaining({ code: state }) }),
    'An API call failed with an unexpected error.',
  );
  // A call may fail after its change was committed.
  expect(response.json().error.message).not.toContain('Nothing was changed');
  error.mockRestore();
});
