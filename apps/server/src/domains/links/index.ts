export { linksModule } from './module.ts';
export { createOpenLinks, type OpenLinks } from './open-links.ts';
