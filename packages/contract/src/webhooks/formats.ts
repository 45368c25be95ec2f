/**
 * The body of a call: Standard Webhooks, a message for Slack or Microsoft Teams, or that of an incident service: ntfy, PagerDuty (Events API
 * v2) or Opsgenie (Alert API).
 */
export const webhookFormats = ['standard', 'slack', 'teams', 'ntfy', 'pagerduty', 'opsgenie'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
/** Formats whose receiver knows the sender by a key that it has issued; of ntfy only topics that are protected need one. */
export const keyedFormats = ['ntfy', 'pagerduty', 'opsgenie'] as const satisfies readonly WebhookFormat[];
export const isKeyedFormat = (format: WebhookFormat): boolean => keyedFormats.some((keyed) => keyed === format);
export const needsKey = (format: WebhookFormat): boolean => isKeyedFormat(format) && format !== 'ntfy';

interface Receiver {
  readonly format: WebhookFormat;
  readonly url: string;
}

/** Whether the stored key of a receiver stays without being typed again: it goes only to the origin for which it was typed. */
export const keepsKey = (stored: Receiver, typed: Receiver): boolean =>
  stored.format === typed.format && URL.canParse(typed.url) && new URL(stored.url).origin === new URL(typed.url).origin;
