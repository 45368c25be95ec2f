import { setTimeout as pause } from 'node:timers/promises';
import { everyRole, type Right } from '@highline/contract';
import { z } from 'zod';
import { DomainError, isAllowedByRole, newId } from '../../kernel/index.ts';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import type { Log } from '../ports/log.ts';
import type { RemoteCall, RemoteCallHandler, RemoteCallReply } from './handler.ts';

const text = z.string().max(200);
/** Names and addresses of people and keys. */
const line = z.string().max(1_000);
/** Who started a job: an actor without a session. */
const author = z.object({
  accountId: z.uuid(),
  email: line,
  name: line,
  role: z.enum(everyRole),
  mainAccountId: z.uuid(),
  organizationId: z.uuid().nullable(),
  key: z.object({ id: z.uuid(), label: line, organizationId: z.uuid().nullable() }).optional(),
});
const messages = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('offer'),
    organizationId: z.uuid(),
    mainAccountId: z.uuid(),
    payload: z.unknown(),
    sessionId: text,
    address: text,
    /** Of a job; left out where a person, or a program, waits for the response. */
    author: author.optional(),
  }),
  z.object({ type: z.literal('run'), ticket: text }),
  z.object({ type: z.literal('end'), ticket: text, isReceived: z.boolean() }),
]);

/** Answers of a process to the messages of a call. */
export const replyShapes = {
  offer: z.object({ ticket: z.string().nullable() }),
  run: z.object({
    answer: z
      .union([z.object({ rejected: z.string(), field: z.string().optional() }), z.object({ value: z.unknown() })])
      .nullable(),
  }),
} as const;

/** Calls that were accepted and not begun. */
const MOST_OFFERS = 1_000;
const OFFER_MS = 10_000;
/** Time limit for the notice that the response has arrived. */
const RECEIVED_MS = 5_000;

interface Offer<Payload> {
  readonly scope: OrganizationScope;
  readonly payload: Payload;
  readonly caller: Pick<OfferMessage, 'sessionId' | 'address' | 'author'>;
  readonly until: number;
}

interface Running {
  readonly gone: AbortController;
  readonly isReceived: Promise<boolean>;
  end(isReceived: boolean): void;
}

/** @see RemoteCallsDeps */
export interface ExecutorDeps {
  readonly log: Log;
  readonly readSession: (sessionId: string) => Promise<Actor | undefined>;
  readonly mayAct: (actor: Actor, right: Right, deviceId?: string) => Promise<boolean>;
}

/** The side that executes calls of other processes. */
export interface Executor<Payload> {
  readonly shape: typeof messages;
  receive(message: z.output<typeof messages>): unknown;
  /** Execute a call of this process, whose router has just come here. */
  runHere(call: RemoteCall<Payload>, caller: AbortSignal | undefined): Promise<RemoteCallReply>;
}

/** @param record writes the result of a call, unless that is done */
export function createExecutor<Payload extends object>(
  { log, ...rights }: ExecutorDeps,
  handler: RemoteCallHandler<Payload>,
  record: (id: string, call: RemoteCall<Payload>, response: RemoteCallReply) => Promise<void>,
): Executor<Payload> {
  const offers = new Map<string, Offer<Payload>>();
  const running = new Map<string, Running>();

  const accept = ({ organizationId, mainAccountId, payload: given, ...caller }: OfferMessage) => {
    for (const [ticket, { until }] of offers) if (until < performance.now()) offers.delete(ticket);
    const { data: payload } = handler.shape.safeParse(given);
    if (payload === undefined || !handler.isHere(payload) || offers.size >= MOST_OFFERS) return { ticket: null };
    const ticket = newId();
    const scope: OrganizationScope = { kind: 'organization', organizationId, mainAccountId };
    offers.set(ticket, { scope, payload, caller, until: performance.now() + OFFER_MS });
    return { ticket };
  };

  const execute = async (id: string, call: RemoteCall<Payload>, gone: AbortSignal): Promise<RemoteCallReply> => {
    const response = await handler.execute(call, gone).then(
      (value): RemoteCallReply => ({ value: value ?? null }),
      (error: unknown): RemoteCallReply => {
        if (error instanceof DomainError) return { rejected: error.key, field: error.more.field };
        log.error({ err: error, handler: handler.name }, 'A call of another process failed.');
        return { rejected: handler.silent };
      },
    );
    await record(id, call, response);
    return response;
  };

  const undoUnreceived = async (ticket: string, call: RemoteCall<Payload>, { isReceived }: Running): Promise<void> => {
    const isOver = await Promise.race([isReceived, pause(RECEIVED_MS, false, { ref: false })]);
    running.delete(ticket);
    if (!isOver) await handler.undo?.(call);
  };

  const run = async (ticket: string): Promise<RemoteCallReply | null> => {
    const offer = offers.get(ticket);
    offers.delete(ticket);
    if (offer === undefined || offer.until < performance.now()) return null;
    const { promise: isReceived, resolve: end } = Promise.withResolvers<boolean>();
    const started: Running = { gone: new AbortController(), isReceived, end };
    running.set(ticket, started);
    let call: RemoteCall<Payload> | undefined;
    try {
      const { scope, payload, caller } = offer;
      const actor = await readActor(rights, caller, handler.right, handler.deviceOf?.(payload));
      if (actor === undefined) return { rejected: caller.author === undefined ? 'session.invalid' : 'permission.denied' };
      call = { scope, payload, actor };
      const response = await execute(ticket, call, started.gone.signal);
      if (!('value' in response)) call = undefined;
      return response;
    } finally {
      if (call === undefined) running.delete(ticket);
      else
        undoUnreceived(ticket, call, started).catch((error: unknown) =>
          log.warn({ err: error }, 'Failed to undo a call whose caller has left.'),
        );
    }
  };

  return {
    shape: messages,
    async receive(message) {
      if (message.type === 'offer') return accept(message);
      if (message.type === 'run') return { answer: await run(message.ticket) };
      const call = running.get(message.ticket);
      call?.end(message.isReceived);
      if (!message.isReceived) call?.gone.abort(new Error('The caller no longer waits for the answer.'));
      return undefined;
    },
    runHere: (call, caller) => execute(newId(), call, caller ?? new AbortController().signal),
  };
}

type OfferMessage = Extract<z.output<typeof messages>, { type: 'offer' }>;

/**
 * The actor of a call: who is signed in now, or the author of a job as of its start. @returns undefined when the session has ended, or
 * the author may not act any more
 */
async function readActor(
  { readSession, mayAct }: Omit<ExecutorDeps, 'log'>,
  { sessionId, address, author: started }: Offer<unknown>['caller'],
  right: Right | undefined,
  deviceId: string | undefined,
): Promise<Actor | undefined> {
  if (started === undefined) {
    const actor = await readSession(sessionId);
    const isAllowed = actor !== undefined && (right === undefined || isAllowedByRole(actor, right));
    return isAllowed ? { ...actor, address } : undefined;
  }
  const actor: Actor = { ...started, address, sessionId: '' };
  return right !== undefined && (await mayAct(actor, right, deviceId)) ? actor : undefined;
}
