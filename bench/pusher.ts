// A separate process: agents that only send reports, trails or heartbeats, as fast as they are acknowledged.
import { decodeMessage, decodeRecord, encodeMessageRecord, encodeRecord, isRequest, USP_SUBPROTOCOL } from '@highline/usp';
import { WebSocket } from 'ws';
import { runQuestions } from './child.ts';
import type { ClaimedRouter } from './routers.seed.ts';

const CONTROLLER = 'self::highline';
/** Prefix of our message ids; the ten digits after it are the number of the message. */
const MARK = 'bench-';
const DIGITS = 10;
/** Stands where a time is, epoch seconds. */
const TIME = '1000000000';
/** The trails of each agent begin this long ago: coverage is not added up yet, and as many seconds are left for positions. */
const TRAIL_SECONDS = 480;
/** Each report measures another temperature: the same of the same second would be one that is sent again. */
const TEMPERATURE = '"Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value":41.';
const DECIMALS = 6;
/** Error code for requests, from an agent without that function. */
const NOT_SUPPORTED = 7004;

/** Reports of eight values in each Push!; or positions in the trail of its only report; or, with neither, Periodic!. */
export interface PushLoad {
  readonly reports?: number;
  readonly positions?: number;
}

export interface PushResult {
  /** Acknowledged, so durable, notifications. */
  readonly responded: number;
  readonly seconds: number;
  /** From sending to the response, milliseconds. */
  readonly latencies: readonly number[];
}

interface Agent {
  readonly socket: WebSocket;
  readonly frame: Buffer;
  readonly markAt: number;
  /** Where times are; none in a heartbeat. */
  readonly timesAt: readonly number[];
  /** The next one of these, epoch seconds: each report and position has a time of its own. */
  readonly nextTime: (index: number) => number;
  /** Where the decimals of the temperature are; undefined where it is not reported. */
  readonly temperatureAt: number | undefined;
}

const agents: Agent[] = [];
let sentAt: number[] = [];
let latencies: number[] = [];
let isRunning = false;

const responses = {
  /** Connect agents, each with a prepared notification. */
  async open(server: string, routers: readonly ClaimedRouter[], load: PushLoad): Promise<void> {
    for (let index = 0; index < routers.length; index += 100)
      await Promise.all(routers.slice(index, index + 100).map((router) => openAgent(server, router, load)));
  },
  /** Keep `window` notifications of each agent in flight for this long, then wait for the last responses. */
  async run(seconds: number, window: number): Promise<PushResult> {
    [sentAt, latencies, isRunning] = [[], [], true];
    const begin = performance.now();
    respondedAt = begin;
    setTimeout(() => (isRunning = false), seconds * 1000);
    for (let round = 0; round < window; round++) for (const agent of agents) push(agent);
    const lastResponse = await quiet();
    return { responded: latencies.length, seconds: (lastResponse - begin) / 1000, latencies };
  },
  close(): void {
    for (const { socket } of agents.splice(0)) socket.terminate();
  },
};
export type PusherResponses = typeof responses;

let respondedAt = 0;

/** A machine may be many times slower than ours. */
const GIVEN_UP_MS = 30_000;

/** Time of the last response, once all arrived or none arrived for this long. */
async function quiet(): Promise<number> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (isRunning) continue;
    if (latencies.length === sentAt.length || performance.now() - respondedAt > GIVEN_UP_MS) return respondedAt;
  }
}

async function openAgent(server: string, { secret, endpointId }: ClaimedRouter, load: PushLoad): Promise<void> {
  const ids = { toId: CONTROLLER, fromId: endpointId };
  const address = `${server}/usp/${encodeURIComponent(secret)}?eid=${encodeURIComponent(endpointId)}`;
  const socket = new WebSocket(address, USP_SUBPROTOCOL, { perMessageDeflate: false });
  const frame = Buffer.from(frameOf(ids, load));
  const temperature = frame.indexOf(TEMPERATURE);
  const agent = {
    socket,
    frame,
    markAt: frame.indexOf(MARK) + MARK.length,
    timesAt: Array.from(frame.toString('latin1').matchAll(new RegExp(TIME, 'gu')), ({ index }) => index),
    nextTime: timesOf(load),
    temperatureAt: temperature < 0 ? undefined : temperature + TEMPERATURE.length,
  };
  socket.on('message', (data: Buffer) => {
    const mark = data.indexOf(MARK);
    if (mark < 0) sendError(socket, ids, data);
    else responded(agent, Number(data.toString('latin1', mark + MARK.length, mark + MARK.length + DIGITS)));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.send(encodeRecord({ ...ids, payload: { type: 'websocket_connect' } }));
  agents.push(agent);
}

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Of reports: now, and kept ones before all that were sent. Of a trail: one a second, in order. */
function timesOf({ positions }: PushLoad): Agent['nextTime'] {
  if (positions !== undefined) {
    let next = nowSeconds() - TRAIL_SECONDS;
    return () => next++;
  }
  let oldest = nowSeconds();
  return (index) => (index === 0 ? nowSeconds() : --oldest);
}

/** One notification as our agent builds it; its number and times are overwritten before each sending. */
function frameOf(ids: { toId: string; fromId: string }, { reports, positions }: PushLoad): Uint8Array {
  const data = positions === undefined ? Array.from({ length: reports ?? 0 }, () => readings) : [{ [TRAIL]: trailOf(positions) }];
  const event =
    data.length === 0
      ? { objPath: 'Device.LocalAgent.', eventName: 'Periodic!', params: new Map<string, string>() }
      : {
          objPath: 'Device.BulkData.Profile.1.',
          eventName: 'Push!',
          params: new Map([['Data', JSON.stringify({ Report: data })]]),
        };
  const subscriptionId = data.length === 0 ? 'highline-heartbeat' : 'bulk';
  return encodeMessageRecord(ids, {
    msgId: MARK + '0'.repeat(DIGITS),
    body: { type: 'notify', subscriptionId, sendResp: true, notification: { type: 'event', ...event } },
  });
}

const TRAIL = 'Device.X_HIGHLINE_GPS.Trail';
const trailOf = (positions: number) =>
  Array.from({ length: positions }, (_, n) => `${TIME},41.87${n}123,-87.62${n}456,4.5,31.5,270`).join(';');

const modem = 'Device.Cellular.Interface.1.';
const readings = {
  CollectionTime: Number(TIME),
  [`${modem}RSSI`]: -67,
  [`${modem}RSRP`]: -92,
  [`${modem}RSRQ`]: -9,
  [`${modem}Stats.BytesSent`]: 123_456_789,
  [`${modem}Stats.BytesReceived`]: 1_234_567_890,
  'Device.DeviceInfo.TemperatureStatus.TemperatureSensor.1.Value': 41.123456,
  'Device.DeviceInfo.PowerStatus.PowerSensor.1.Voltage': 13_800,
  'Device.X_HIGHLINE_Vehicle.BatteryCharge': 93,
};

function push(agent: Agent): void {
  const { socket, frame, markAt, timesAt, nextTime, temperatureAt } = agent;
  const copy = Buffer.from(frame);
  copy.write(String(sentAt.length).padStart(DIGITS, '0'), markAt, 'latin1');
  if (temperatureAt !== undefined)
    copy.write(String(sentAt.length % 10 ** DECIMALS).padStart(DECIMALS, '0'), temperatureAt, 'latin1');
  for (const [index, at] of timesAt.entries()) copy.write(String(nextTime(index)), at, 'latin1');
  sentAt.push(performance.now());
  socket.send(copy, { binary: true });
}

function responded(agent: Agent, number: number): void {
  respondedAt = performance.now();
  latencies.push(respondedAt - (sentAt[number] ?? Number.NaN));
  if (isRunning) push(agent);
}

function sendError(socket: WebSocket, ids: { toId: string; fromId: string }, data: Buffer): void {
  const { payload } = decodeRecord(data);
  if (payload.type !== 'no_session_context') return;
  const { msgId, body } = decodeMessage(payload.payload);
  if (!isRequest(body)) return;
  socket.send(
    encodeMessageRecord(ids, { msgId, body: { type: 'error', errCode: NOT_SUPPORTED, errMsg: 'not here', paramErrs: [] } }),
  );
}

runQuestions(responses);
