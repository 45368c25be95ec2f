import { createRemovals } from '../compose/removals.ts';
import { createAccountsService } from '../domains/accounts/index.ts';
import type { Removals } from '../domains/bulk-jobs/index.ts';
import { silentLog } from './log.ts';
import { createTestSealing } from './sealing.ts';
import type { TestApp } from './test-app.ts';

/** The deletions that jobs make, as the server composes them. @param ended accounts whose streams were ended */
export function testRemovals({ database, clock, expiringDays, disconnected }: TestApp, ended: string[] = []): Removals {
  const sealing = createTestSealing();
  const endStreams = (which: { readonly sessionId: string } | { readonly accountId: string }) =>
    void ended.push(Object.values(which)[0] ?? '');
  const accounts = createAccountsService({ database, clock, endStreams, sealing, mailSealing: sealing, challenges: sealing });
  const deviceLink = { disconnect: (ids: readonly string[]) => void disconnected.push(...ids) } as never;
  return createRemovals({ clock, expiringDays, deviceLink, accounts, log: silentLog });
}
