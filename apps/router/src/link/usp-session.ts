import {
  type UspErrorBody,
  type UspMessage,
  type UspRecord,
  type UspRequest,
  type UspResponse,
  UspDecodeError,
  decodeMessage,
  decodeRecord,
  encodeMessageRecord,
  encodeRecord,
  isRequest,
} from '@highline/usp';
import type { Log } from '../log.ts';
import type { Link } from './link.ts';

export type UspSessionOptions = {
  /** Accepted sender and receiver of records. */
  ids: { endpointId: string; controllerId: string };
  link: Pick<Link, 'send' | 'drop' | 'confirm'>;
  log: Log;
  /** Answers a request of the controller. Never throws. */
  respond(request: UspRequest): UspResponse | UspErrorBody;
  /** The controller was answered. */
  responded(): void;
  /** The controller acknowledged the notification with this message id. */
  acknowledged(msgId: string): void;
};

/** The USP conversation of a router with its controller over the frames of a link: records in, answers and notifications out. */
export class UspSession {
  readonly #options: UspSessionOptions;

  constructor(options: UspSessionOptions) {
    this.#options = options;
  }

  /** Send the introduction on a new connection (TR-369 "WebSocket Binding"). */
  open(): void {
    this.#options.link.send(encodeRecord({ ...this.#addresses, payload: { type: 'websocket_connect' } }));
  }

  /** Send a message to the controller; false without a connection. */
  send(message: UspMessage): boolean {
    return this.#options.link.send(encodeMessageRecord(this.#addresses, message));
  }

  /** Process a frame of the link. Drop what cannot be parsed: it cannot be answered. */
  receive(frame: Uint8Array): void {
    try {
      const record = decodeRecord(frame);
      if (this.#isForMe(record)) this.#handleRecord(record);
    } catch (error) {
      if (!(error instanceof UspDecodeError)) throw error;
      this.#options.log('warn', 'usp.undecodable', { reason: error.message });
    }
  }

  /** TR-369 R-ENC.1 and "Record Errors": drop records from or for other endpoints. */
  #isForMe({ toId, fromId }: UspRecord): boolean {
    const { ids, log } = this.#options;
    if (toId === ids.endpointId && fromId === ids.controllerId) return true;
    log('warn', 'usp.not-for-me', { toId, fromId });
    return false;
  }

  #handleRecord({ payload }: UspRecord): void {
    const { link, log } = this.#options;
    if (payload.type === 'no_session_context') {
      link.confirm();
      this.#handleMessage(decodeMessage(payload.payload));
    } else if (payload.type === 'disconnect') {
      log('info', 'usp.disconnect', { reason: payload.reason, code: payload.reasonCode });
      link.drop();
    } else log('warn', 'usp.unexpected-record', { type: payload.type });
  }

  #handleMessage({ msgId, body }: UspMessage): void {
    const { respond, responded, acknowledged, log } = this.#options;
    if (isRequest(body)) {
      this.send({ msgId, body: respond(body) });
      responded();
    } else if (body.type === 'notify_resp') acknowledged(msgId);
    else log('warn', 'usp.unexpected-answer', { type: body.type });
  }

  get #addresses(): { toId: string; fromId: string } {
    const { controllerId, endpointId } = this.#options.ids;
    return { toId: controllerId, fromId: endpointId };
  }
}
