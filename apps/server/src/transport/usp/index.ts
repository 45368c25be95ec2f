export { createCertificateReader } from './client-certificates.ts';
export { attachGateway, type Gateway } from './gateway.ts';
export type { GatewaySettings } from './settings.ts';
