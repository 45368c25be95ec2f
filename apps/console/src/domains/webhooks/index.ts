export { type Webhook, testWebhook, webhookChoices } from './webhooks.api.ts';
