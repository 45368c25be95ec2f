import { createServer } from 'node:http';
import { connect } from 'node:net';
import ssh2 from 'ssh2';
import { makeKey } from '../remote/host-key.ts';

// A device of a vehicle as a process in a network namespace of its own: a web server and an SSH server.

const [router = ''] = process.argv.slice(2);

const web = createServer((request, response) => {
  if (request.url === '/endless') response.write('begun');
  else if (request.url === '/large') response.end(Buffer.alloc(8 * 1_048_576, 'x'));
  else response.end(`a device, seen from ${request.socket.remoteAddress}`);
});
const ssh = new ssh2.Server({ hostKeys: [makeKey()] }, (client) => {
  client.on('error', () => undefined);
  client.on('authentication', (attempt) => {
    if (attempt.method === 'password' && attempt.password === 'raspberry') attempt.accept();
    else attempt.reject(['password']);
  });
  client.on('session', (accept) => {
    accept().on('exec', (acceptExec, _reject, { command }) => {
      const channel = acceptExec();
      channel.write(`ran ${command}`);
      channel.exit(0);
      channel.end();
    });
  });
});

web.listen(80, () =>
  ssh.listen(22, () => {
    // The router knows hosts of the network once they have sent something.
    const hello = connect(9, router);
    hello.on('error', () => process.stdout.write('ready\n'));
  }),
);
// No orphan of a test that was killed.
process.stdin.on('end', () => process.exit(0)).resume();
