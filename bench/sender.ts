// A separate process: agents that send reports, keep those that are not acknowledged, and repeat them, whatever happens to their connection.
import { decodeMessage, decodeRecord, encodeMessageRecord, encodeRecord, isRequest, USP_SUBPROTOCOL } from '@highline/usp';
import { WebSocket } from 'ws';
import { runQuestions } from './child.ts';
import type { ClaimedRouter } from './routers.seed.ts';
import { reportAt, type Acknowledged } from './sender.report.ts';

const CONTROLLER = 'self::highline';
/** Error code for requests, from an agent without that function. */
const NOT_SUPPORTED = 7004;
/** Reports of one agent that wait for their responses. */
const WINDOW = 8;
const RECONNECT_MS = 100;
/** An agent repeats what is not acknowledged after this long. */
const REPEAT_MS = 5_000;

interface Agent extends ClaimedRouter {
  readonly number: number;
  /** Epoch seconds of the reports that wait for a response. */
  readonly waiting: Set<number>;
  readonly acknowledged: number[];
  next: number;
  socket: WebSocket | undefined;
}

let agents: Agent[] = [];
let address = '';
let sending = new AbortController();

const responses = {
  /** Connect agents, which send reports of successive seconds from `first` on, each with readings, counters of data used and a position. */
  start(server: string, routers: readonly ClaimedRouter[], first: number): void {
    [address, sending] = [server, new AbortController()];
    agents = routers.map((router, number) => ({
      ...router,
      number,
      waiting: new Set(),
      acknowledged: [],
      next: first,
      socket: undefined,
    }));
    for (const agent of agents) connect(agent);
    setInterval(() => agents.forEach(repeat), REPEAT_MS);
  },
  /** How many reports are acknowledged so far. */
  count: () => agents.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
  /** Send no more, and resolve once everything that was sent is acknowledged. */
  async finish(): Promise<Acknowledged[]> {
    sending.abort();
    while (agents.some(({ waiting }) => waiting.size > 0)) await new Promise((resolve) => setTimeout(resolve, 50));
    return agents.map(({ endpointId, acknowledged }) => ({ endpointId, seconds: acknowledged }));
  },
};
export type SenderResponses = typeof responses;

function connect(agent: Agent): void {
  const ids = idsOf(agent);
  const socket = new WebSocket(
    `${address}/usp/${encodeURIComponent(agent.secret)}?eid=${encodeURIComponent(agent.endpointId)}`,
    USP_SUBPROTOCOL,
    { perMessageDeflate: false },
  );
  socket.on('open', () => {
    agent.socket = socket;
    socket.send(encodeRecord({ ...ids, payload: { type: 'websocket_connect' } }));
    repeat(agent);
    fill(agent);
  });
  socket.on('message', (data: Buffer) => receive(agent, socket, data));
  // Not yet listening, or killed: the close follows.
  socket.on('error', () => {});
  socket.on('close', () => {
    agent.socket = undefined;
    setTimeout(() => connect(agent), RECONNECT_MS);
  });
}

const idsOf = ({ endpointId }: Agent) => ({ toId: CONTROLLER, fromId: endpointId });

function repeat(agent: Agent): void {
  for (const second of agent.waiting) agent.socket?.send(frameOf(agent, second));
}

function fill(agent: Agent): void {
  while (!sending.signal.aborted && agent.waiting.size < WINDOW) {
    const second = agent.next++;
    agent.waiting.add(second);
    agent.socket?.send(frameOf(agent, second));
  }
}

function receive(agent: Agent, socket: WebSocket, data: Buffer): void {
  const { payload } = decodeRecord(data);
  if (payload.type !== 'no_session_context') return;
  const { msgId, body } = decodeMessage(payload.payload);
  if (body.type === 'notify_resp') {
    const second = Number(msgId);
    if (agent.waiting.delete(second)) agent.acknowledged.push(second);
    fill(agent);
  } else if (isRequest(body))
    socket.send(
      encodeMessageRecord(idsOf(agent), {
        msgId,
        body: { type: 'error', errCode: NOT_SUPPORTED, errMsg: 'not here', paramErrs: [] },
      }),
    );
}

function frameOf(agent: Agent, second: number): Uint8Array {
  const params = new Map([['Data', JSON.stringify({ Report: [reportAt(agent.number, second)] })]]);
  const notification = { type: 'event', objPath: 'Device.BulkData.Profile.1.', eventName: 'Push!', params } as const;
  return encodeMessageRecord(idsOf(agent), {
    msgId: String(second),
    body: { type: 'notify', subscriptionId: 'bulk', sendResp: true, notification },
  });
}

runQuestions(responses);
