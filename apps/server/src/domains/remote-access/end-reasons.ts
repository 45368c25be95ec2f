import { remoteAccess } from '@highline/contract';
import type { Authorization } from './authorizations.queries.ts';
import { isSubscribed } from './connection-failures.ts';
import type { RemoteAccessTimeouts } from './live-sessions.ts';

export function endReasonOf(
  authorization: Authorization | undefined,
  now: Date,
  timeouts: RemoteAccessTimeouts,
): remoteAccess.EndReason | undefined {
  // Ended elsewhere: only the sockets are left to close here.
  if (authorization?.isOpen !== true) return 'cancelled';
  if (!authorization.isOwned) return 'device-gone';
  if (!isSubscribed(authorization, now)) return 'not-subscribed';
  const { presence, presenceSince } = authorization;
  const isLost = presence === 'offline' && presenceSince !== null && now.getTime() - presenceSince.getTime() > timeouts.offlineMs;
  return isLost ? 'offline' : undefined;
}
