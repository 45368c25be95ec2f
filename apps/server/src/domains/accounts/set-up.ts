import { DomainError, newId, type MainScope } from '../../kernel/index.ts';
import type { Clock, Database, Queries, Tx } from '../../platform/ports/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { createAccount } from './create-account.ts';
import type { Caller } from './forgotten-password.ts';
import { checkNewPassword } from './password.ts';
import { countTry, limits, addressKeyOf, trustNetwork } from './rate-limit.ts';
import { hashSecret, newSecret } from './secret.ts';

export interface FirstAccount {
  /** Name of the main account. */
  readonly company: string;
  /** Name of the user. */
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** The first start of a real installation: there is no default account, only a printed link (DECISIONS, Identity). */
export function createSetUp({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  return {
    /**
     * Create a new link while there is no account; it invalidates the one before.
     * @returns its secret, or undefined once the installation is set up
     */
    mintSetUpSecret: (): Promise<string | undefined> =>
      database.write(async (tx) => {
        await tx.deleteFrom('setup_links').execute();
        if (await isSetUp(tx)) return undefined;
        const secret = newSecret();
        await tx
          .insertInto('setup_links')
          .values({ secret_hash: hashSecret(secret) })
          .execute();
        return secret;
      }),

    /**
     * Create the main account and its first user, who then signs in like any other.
     * @throws DomainError `account.link_invalid`, `account.weak_password` (the link stays valid)
     */
    async setUp(secret: string, first: FirstAccount, caller: Caller): Promise<{ email: string }> {
      const now = clock.now();
      await countTry(database, limits.resetAddress, addressKeyOf(caller.address), now);
      await database.write(async (tx) => {
        await takeSetUpLink(tx, secret);
        checkNewPassword(first.password, first.email);
        const scope: MainScope = { kind: 'main', mainAccountId: newId(now.getTime()) };
        await tx.insertInto('main_accounts').values({ id: scope.mainAccountId, name: first.company }).execute();
        const id = await createAccount(tx, scope, { ...first, role: 'main' });
        await trustNetwork(tx, first.email, caller.address, now);
        const actor = { accountId: id, email: first.email, role: 'main', address: caller.address };
        const event = {
          action: sentence('installation.set_up'),
          subject: { kind: 'account', id },
          detail: { company: first.company },
        };
        await recordAudit(tx, scope.mainAccountId, actor, event, now);
      });
      return { email: first.email };
    },
  };
}

async function isSetUp(queries: Queries): Promise<boolean> {
  return (await queries.selectFrom('main_accounts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** If two use it at once, one waits for the other and finds it gone. */
async function takeSetUpLink(tx: Tx, secret: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('setup_links')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n || (await isSetUp(tx))) throw new DomainError('account.link_invalid');
}
