export { linksModule } from './module.ts';
export { endLinksOf, purgeLinksOf } from './links.store.ts';
export { createOpenLinks, type OpenLinks } from './open-links.ts';
