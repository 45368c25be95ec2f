import type { Language, webhooks } from '@highline/contract';
import { bodyOf, type SentEvent } from './formats.ts';
import { incidentCall } from './incident-formats.ts';
import { pushMessage } from './push-message.ts';
import { signatureOf } from './secret.ts';
import { encryptPush, type PushKeys, type ServerPushKey } from './web-push.ts';

/** Formats of endpoints: those of webhooks, and that of browsers of people. */
export type EndpointFormat = webhooks.WebhookFormat | 'push';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'webhook_endpoints.language': Language | null;
  }
}

/** A call of an endpoint, as it is sent. */
export interface PreparedCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** What a call is made of. */
export interface CallParts {
  readonly url: string;
  readonly format: EndpointFormat;
  /** Of a browser. */
  readonly language: Language | null;
  /** Header webhook-id. */
  readonly id: string;
  /** The secrets that sign now, the newest first; of formats with a key only that key. */
  readonly secrets: readonly string[];
  readonly pushKey: ServerPushKey;
  readonly now: Date;
}

const AGENT = { 'content-type': 'application/json', 'user-agent': 'Highline-Webhooks/1' };
/** Push services keep a message for a browser that is off for so long. */
const PUSH_SECONDS = 86_400;

/** Prepare the call of an endpoint with an event. */
export function prepareCall(parts: CallParts, event: SentEvent): PreparedCall {
  const { url, format, secrets } = parts;
  const [secret = ''] = secrets;
  switch (format) {
    case 'push':
      return pushCall(parts, secret, event);
    case 'ntfy':
    case 'pagerduty':
    case 'opsgenie': {
      const call = incidentCall(format, url, secret, event);
      return { ...call, headers: { ...AGENT, 'webhook-id': parts.id, ...call.headers } };
    }
    default: {
      const message = { id: parts.id, timestamp: Math.floor(parts.now.getTime() / 1_000), body: bodyOf(format, event) };
      const signed = {
        'webhook-id': message.id,
        'webhook-timestamp': String(message.timestamp),
        'webhook-signature': signatureOf(message, secrets),
      };
      return { url, headers: { ...AGENT, ...signed }, body: message.body };
    }
  }
}

/** A message of a push service (RFC 8030), encrypted for its browser. */
function pushCall({ url, language, pushKey, now }: CallParts, secret: string, event: SentEvent): PreparedCall {
  const message = pushMessage(language ?? 'en-US', event);
  const isUrgent = event.data['severity'] === 'critical' && event.type === 'alert.fired';
  return {
    url,
    headers: {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(PUSH_SECONDS),
      urgency: isUrgent ? 'high' : 'normal',
      authorization: pushKey.authorize(url, now),
    },
    body: encryptPush(JSON.stringify(message), JSON.parse(secret) as PushKeys),
  };
}

/** The body of an event as a log shows it, without a key of the receiver. */
export function shownBody(format: EndpointFormat, url: string, event: SentEvent): string {
  if (format === 'push') return JSON.stringify(pushMessage('en-US', event));
  if (format === 'ntfy' || format === 'pagerduty' || format === 'opsgenie') return incidentCall(format, url, '…', event).body;
  return bodyOf(format, event);
}
