import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { READ_MS, type Case } from './anonymous-limits.ts';
import { introduction } from './usp-frames.ts';

/** A router of the tenant sends frames of this kind until it is cut off, at the most it may send. */
export const frameCases = (name: string, make: (endpointId: string) => Uint8Array): Case => ({
  entry: name,
  name,
  async run({ port }, report, stage, index) {
    const { secret, endpointId } = (await stage.tenant()).loose;
    const address = `ws://127.0.0.1:${port}/usp/${secret}?eid=${encodeURIComponent(endpointId)}`;
    const socket = new WebSocket(address, ['v1.usp'], { perMessageDeflate: false });
    socket.on('error', () => undefined);
    const closed = new Promise<string>((resolve) => socket.on('close', (code) => resolve(`ws ${code}`)));
    const opened = new Promise<string>((resolve) => socket.once('open', () => resolve('open')));
    if ((await Promise.race([opened, closed])) !== 'open')
      return report.find('leak', `${name}: the router could not connect`, index);
    socket.send(introduction(endpointId));
    const began = performance.now();
    for (let count = 0; count < 4 && socket.readyState === WebSocket.OPEN; count++) {
      socket.send(make(endpointId));
      const read = new Promise<string>((resolve) => socket.once('pong', () => resolve('read')));
      socket.ping();
      const how = await Promise.race([read, closed, pause(READ_MS, 'unread', { ref: false })]);
      report.responded(how, performance.now() - began, name);
      report.count('frames');
    }
    socket.close();
    await closed;
  },
});
