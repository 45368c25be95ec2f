import { createInterface } from 'node:readline';
import { StrictAgent } from './strict-agent.ts';
import type { TraitChoice } from './traits.ts';

// One strict agent as a process: `node packages/testkit/src/cli.ts '<traits as JSON>'`. It writes each event as a line of JSON to
// standard output; each line on standard input is an Order. It ends with its standard input, or at once by SIGKILL, which
// simulates a power cut.

/** Actions of a person at the router. */
export type Order =
  | { readonly do: 'reboot' | 'reset' | 'lose-coverage' | 'regain-coverage' }
  | { readonly do: 'change'; readonly path: string; readonly value: string };

function obey(agent: StrictAgent, order: Order): void {
  switch (order.do) {
    case 'reboot':
      return agent.reboot();
    case 'reset':
      return agent.resetToFactory();
    case 'lose-coverage':
      return agent.loseCoverage();
    case 'regain-coverage':
      return agent.regainCoverage();
    case 'change':
      return agent.change(order.path, order.value);
  }
}

function main(text: string | undefined): void {
  if (text === undefined) {
    process.stderr.write('Pass the traits of the agent as JSON: server, secret, endpointId, stateDir, …\n');
    process.exitCode = 2;
    return;
  }
  const agent = new StrictAgent(JSON.parse(text) as TraitChoice, (event) => process.stdout.write(`${JSON.stringify(event)}\n`));
  agent.powerOn();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => obey(agent, JSON.parse(line) as Order));
  lines.on('close', () => {
    agent.cutPower();
    process.exit(0);
  });
}

main(process.argv[2]);
