import { failureRow as failure } from '../failure-row.ts';

export const errors = {
  'remote.not_subscribed': failure(409, 'The connection cannot be built because the subscription has expired.'),
  'remote.offline': failure(409, 'The connection cannot be built because the device is offline.'),
  'remote.reset_impossible': failure(
    409,
    'The password cannot be reset because the device is offline or the subscription has expired.',
  ),
  'remote.reset_failed': failure(502, 'Password reset failed'),
  'remote.reset_unsupported': failure(409, 'Password reset is not supported by this router.'),
  'remote.unsupported': failure(409, 'This router does not offer remote connections.'),
  'remote.no_answer': failure(504, 'The router did not open the connection. Try again in a moment.'),
  'router.not_connected': failure(409, 'The router is not connected. Try again when it is online.'),
  'router.no_answer': failure(504, 'The router did not answer. Try again in a moment.'),
  'remote.exists': failure(409, 'A remote connection exists. Cancel the connection to build a new connection.'),
  'remote.not_connected': failure(409, 'There is no remote connection of this kind. Connect first.'),
  'remote.secret_told': failure(409, 'These credentials were already shown and cannot be retrieved again.'),
  'remote.no_domain': failure(
    409,
    'Router web pages cannot be opened here yet. The operator of this server must set TUNNEL_DOMAIN first.',
  ),
  'remote.busy': failure(503, 'No remote connection is available right now. Try again later.'),
} as const;
