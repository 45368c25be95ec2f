import { randomInt } from 'node:crypto';
import { openedOrNone, type Sealing } from '../../kernel/index.ts';
import type { Row } from '../../platform/ports/index.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import type { WebCaller } from '../../platform/ports/web-caller.ts';
import type { SentEvent } from './formats.ts';
import { waitAfter, type Attempt } from './retry.ts';
import { prepareCall, type EndpointFormat } from './web-call.ts';
import type { ServerPushKey } from './web-push.ts';
import type { LeasedDelivery, Outcome } from './webhook-delivery.job.queries.ts';

export interface CallDeps {
  readonly caller: WebCaller;
  readonly sealing: Sealing;
  readonly pushKey: ServerPushKey;
  readonly clock: Clock;
}

const UNREADABLE_SECRET =
  'It was not called: its signing secret cannot be opened with the master key of this server. Rotate the secret.';

const KEY_REJECTED =
  'The push service does not accept the key of this server for this browser. It is registered again when its person opens the console there.';

/** What a call needs of an endpoint. */
export type CalledEndpoint = Row<
  'webhook_endpoints',
  'id' | 'url' | 'language' | 'sealed_secret' | 'previous_secret' | 'previous_until'
> & {
  readonly format: EndpointFormat;
  /** Its organization, or its main account. */
  readonly owner_id: string;
};

/** Header webhook-id of an event: the same at every attempt. */
export const messageIdOf = (id: string): string => `msg_${id.replaceAll('-', '')}`;

/** Call an endpoint with an event once. A response of the class 2xx confirms it; redirects and everything else are failures. */
export async function callOnce(
  { caller, sealing, pushKey, clock }: CallDeps,
  endpoint: CalledEndpoint,
  id: string,
  event: SentEvent,
): Promise<Attempt> {
  const now = clock.now();
  const secrets = secretsOf(sealing, endpoint, now);
  if (secrets === undefined) return { at: now.toISOString(), took: 0, status: null, error: UNREADABLE_SECRET, answer: '' };
  const { url, format, language } = endpoint;
  const call = prepareCall({ url, format, language, id: messageIdOf(id), secrets, pushKey, now }, event);
  const { status, fault, text, took } = await caller.post({ owner: endpoint.owner_id, ...call });
  const error = status === null ? fault : isKeyRejected(endpoint, { status }) ? KEY_REJECTED : faultOfStatus(status);
  return { at: now.toISOString(), took, status, error, answer: text };
}

/** Call the endpoint of a leased event. */
export async function callEndpoint(deps: CallDeps, delivery: LeasedDelivery): Promise<Outcome> {
  const { id, endpoint_id: endpointId, type, happened_at: happenedAt, data } = delivery;
  const attempt = await callOnce(deps, { ...delivery, id: endpointId }, id, { type, happenedAt, data });
  if (attempt.error === '' || isGone(delivery, attempt)) return { delivery, attempt, nextAt: null };
  const wait = waitAfter(delivery.attempts - delivery.attempts_before, randomInt(1_000) / 1_000);
  return { delivery, attempt, nextAt: wait === undefined ? null : new Date(deps.clock.now().getTime() + wait) };
}

/** Whether a push service says that this browser is not registered any more (RFC 8030, 7.3). */
export const isGone = ({ format }: Pick<CalledEndpoint, 'format'>, { status }: Attempt): boolean =>
  format === 'push' && (status === 404 || status === 410);

/** Whether a push service takes messages for this browser from another key than ours only (RFC 8292, 4.2). */
export const isKeyRejected = ({ format }: Pick<CalledEndpoint, 'format'>, { status }: Pick<Attempt, 'status'>): boolean =>
  format === 'push' && (status === 401 || status === 403);

/** The secrets that sign now, the newest first; undefined if the newest cannot be opened. */
function secretsOf(sealing: Sealing, endpoint: CalledEndpoint, now: Date): string[] | undefined {
  const { id, sealed_secret: sealed, previous_secret: previous, previous_until: until } = endpoint;
  const isBoth = previous !== null && until !== null && until > now;
  const [newest, former] = [sealed, ...(isBoth ? [previous] : [])].map((each) =>
    openedOrNone(() => sealing.open(id, each).toString('utf8')),
  );
  return newest === undefined ? undefined : [newest, ...(former === undefined ? [] : [former])];
}

function faultOfStatus(status: number): string {
  if (status >= 200 && status <= 299) return '';
  if (status >= 300 && status <= 399) return 'It answered with a redirect, which is not followed. Enter the final address.';
  return `It answered with status ${status}.`;
}
