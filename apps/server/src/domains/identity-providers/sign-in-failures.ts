import * as oidc from 'openid-client';
import { DomainError, type Sealing } from '../../kernel/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { causesOf, isUnreachable, type ProviderClient } from './provider-client.ts';
import type { ActiveProvider } from './providers.queries.ts';

export interface SignInDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly client: ProviderClient;
  readonly secrets: Sealing;
  readonly flows: Sealing;
}

/** What a person is shown of a failure; the log says why. */
export function failureOf({ log }: SignInDeps, { id, issuer }: ActiveProvider, error: unknown): DomainError {
  const failure = toFailure(error);
  const causes = error instanceof DomainError ? [] : causesOf(error);
  const reason = causes.map(({ message }) => message).join(': ');
  log.warn({ provider: id, issuer, failure: failure.key, reason: reason.slice(0, 500) }, 'sign-in by identity provider failed');
  return failure;
}

function toFailure(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (isUnreachable(error)) return new DomainError('provider.unreachable');
  if (error instanceof oidc.AuthorizationResponseError) return new DomainError('provider.rejected');
  return new DomainError('provider.token_invalid');
}
