import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret is valid for this long, and once. */
const GOOD_MS = 30_000;

/** What a tunnel leads to: services of the router, or a client of its network. The name of the forward. */
export type TunnelService = 'ssh' | 'gui' | 'client';

/** An expected router. */
export interface TunnelInvitation {
  readonly id: string;
  readonly service: TunnelService;
  readonly secretHash: Buffer;
  readonly goodUntil: number;
}

/** Expected routers and their secrets. Secrets are kept as hashes, for seconds. */
export class Invitations {
  readonly #open = new Map<string, TunnelInvitation>();

  /** Whether any router is expected. */
  get isExpecting(): boolean {
    return this.#open.size > 0;
  }

  /** @returns the secret, which is sent to the router and stored nowhere */
  issue(id: string, service: TunnelService, now: number): string {
    const secret = randomBytes(32).toString('base64url');
    this.#open.set(id, { id, service, secretHash: hashOf(secret), goodUntil: now + GOOD_MS });
    return secret;
  }

  /** Claim an invitation, so that it cannot be used again; undefined for a wrong secret or an expired invitation. */
  take(id: string, secret: string, now: number): TunnelInvitation | undefined {
    const invitation = this.#open.get(id);
    if (invitation === undefined || now > invitation.goodUntil) return undefined;
    if (!timingSafeEqual(invitation.secretHash, hashOf(secret))) return undefined;
    this.#open.delete(id);
    return invitation;
  }

  withdraw(id: string): void {
    this.#open.delete(id);
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
