import type { Duplex } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { guard } from '../../kernel/guard.ts';
import type { Log } from '../../platform/ports/log.ts';
import { NoChannel, type Channels } from './channels.ts';

/** Time limit of a handshake. */
const HANDSHAKE_MS = 10_000;

/**
 * TLS through the connections of a tunnel, to a device that may be old and has a certificate that no one signed: it is not verified, and
 * the user reads so. What protects the way is the tunnel; from the router on it is the network of the vehicle.
 */
export function encrypted(channels: Pick<Channels, 'open'>, log: Pick<Log, 'error'>): Pick<Channels, 'open'> {
  return { open: async () => secure(await channels.open(), log) };
}

function secure(channel: Duplex, log: Pick<Log, 'error'>): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      socket: channel,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    const giveUp = () => {
      clearTimeout(timer);
      socket.destroy();
      channel.destroy();
      reject(new NoChannel('rejected'));
    };
    const fail = guard(log, () => channel.destroy(), giveUp);
    const timer = setTimeout(fail, HANDSHAKE_MS);
    channel.once('close', fail);
    socket.once('error', fail);
    socket.once('close', () => channel.destroy());
    socket.once('secureConnect', () => {
      clearTimeout(timer);
      channel.off('close', fail);
      socket.off('error', fail);
      socket.on('error', () => socket.destroy());
      channel.once('close', () => {
        // After an end of its own, what was decrypted and not read yet still reaches the browser.
        if (!channel.readableEnded) socket.destroy();
      });
      resolve(socket);
    });
  });
}
