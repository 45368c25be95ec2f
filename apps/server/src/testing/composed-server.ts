// The server itself, for tools that run it within their own process.
export { composeServer } from '../compose/compose.ts';
export { openBus } from '../compose/bus.ts';
export { openInstallation } from '../compose/installation.ts';
export { readSettings } from '../platform/settings/settings.ts';
