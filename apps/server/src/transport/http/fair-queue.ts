import { DomainError } from '../../kernel/failure.ts';

/** The account and tenant of an expensive call. */
export interface Party {
  readonly account: string;
  /** The organization of the account, or the main account for its own users. */
  readonly tenant: string;
}

export interface FairLimits {
  /** Calls that run at once, in the whole process. */
  readonly total: number;
  /** Calls that run at once per tenant, and per account. */
  readonly ofTenant: number;
  readonly ofAccount: number;
  /** Calls that wait, in the whole process, per tenant, and per account. */
  readonly waiting: number;
  readonly waitingOfTenant: number;
  readonly waitingOfAccount: number;
  /** Longest wait of a call. */
  readonly waitMs: number;
}

interface Waiter {
  readonly party: Party;
  start(): void;
}

/**
 * Limits concurrent expensive calls. Running calls of an account or tenant limit only its own calls: another tenant's next call
 * starts before their second, however long their queue is.
 */
export class FairQueue {
  readonly #limits: FairLimits;
  readonly #running = new Counts();
  readonly #waiters: Waiter[] = [];

  constructor(limits: FairLimits) {
    this.#limits = limits;
  }

  /** Run `work` when its turn comes. @throws DomainError as `enter`, and any error of `work` */
  async run<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(party);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Wait for a slot.
   * @returns releases the slot; further calls change nothing
   * @throws DomainError `request.too_many` (429) when the account's or tenant's own calls are the reason, `server.busy` (503)
   * when others are, both with the seconds to wait before a retry
   */
  async enter(party: Party): Promise<() => void> {
    if (!this.#mayRun(party)) await this.#wait(party);
    else this.#running.add(party);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#running.remove(party);
      this.#startNext();
    };
  }

  async #wait(party: Party): Promise<void> {
    const { waiting, waitingOfTenant, waitingOfAccount, waitMs } = this.#limits;
    const sameTenant = this.#waiters.filter((each) => each.party.tenant === party.tenant);
    const sameAccount = sameTenant.filter((each) => each.party.account === party.account);
    const isOwnFault = this.#isLimitedByOwn(party) || sameTenant.length > 0;
    if (sameTenant.length >= waitingOfTenant || sameAccount.length >= waitingOfAccount) throw isOwnFault ? tooMany() : busy();
    if (this.#waiters.length >= waiting) throw busy();
    await new Promise<void>((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        reject(this.#isLimitedByOwn(party) ? tooMany() : busy());
      };
      const timer = setTimeout(giveUp, waitMs);
      const waiter: Waiter = {
        party,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiters.push(waiter);
    });
  }

  /** Start the first in line among those whose tenant has the fewest running calls. */
  #startNext(): void {
    let next: Waiter | undefined;
    for (const waiter of this.#waiters) {
      if (!this.#mayRun(waiter.party)) continue;
      if (next === undefined || this.#running.ofTenant(waiter.party) < this.#running.ofTenant(next.party)) next = waiter;
    }
    if (next === undefined) return;
    this.#waiters.splice(this.#waiters.indexOf(next), 1);
    this.#running.add(next.party);
    next.start();
  }

  #mayRun(party: Party): boolean {
    return this.#running.total < this.#limits.total && !this.#isLimitedByOwn(party);
  }

  #isLimitedByOwn(party: Party): boolean {
    const { ofTenant, ofAccount } = this.#limits;
    return this.#running.ofTenant(party) >= ofTenant || this.#running.ofAccount(party) >= ofAccount;
  }
}

/** Running calls, by tenant and by account. */
class Counts {
  total = 0;
  readonly #tenants = new Map<string, number>();
  readonly #accounts = new Map<string, number>();

  ofTenant({ tenant }: Party): number {
    return this.#tenants.get(tenant) ?? 0;
  }

  ofAccount({ account }: Party): number {
    return this.#accounts.get(account) ?? 0;
  }

  add(party: Party): void {
    this.#change(party, 1);
  }

  remove(party: Party): void {
    this.#change(party, -1);
  }

  #change({ tenant, account }: Party, by: number): void {
    this.total += by;
    for (const [counts, key] of [
      [this.#tenants, tenant],
      [this.#accounts, account],
    ] as const) {
      const count = (counts.get(key) ?? 0) + by;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    }
  }
}

const RETRY_AFTER_SECONDS = 10;

function tooMany(): DomainError {
  return new DomainError('request.too_many', { retryAfter: RETRY_AFTER_SECONDS });
}

function busy(): DomainError {
  return new DomainError('server.busy', { retryAfter: RETRY_AFTER_SECONDS });
}
