export { createCertificateReader } from './client-certificates.ts';
export { attachGateway, type Gateway, type GatewayDeps, type GatewayStats } from './gateway.ts';
export type { GatewaySettings } from './settings.ts';
