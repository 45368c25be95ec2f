import type { Module } from '../../platform/modules/module.ts';
import { createLinkJobs } from './links.job.ts';
import { registerLinkRoutes } from './links.routes.ts';
import type { LinkDeps } from './links.service.ts';
import type { OpenLinks } from './open-links.ts';
import { endLinksOf } from './links.store.ts';

interface LinksModuleDeps extends LinkDeps {
  readonly openLinks: OpenLinks;
}

export const linksModule: Module<LinksModuleDeps> = {
  open(routes, deps) {
    registerLinkRoutes(routes, deps, deps.openLinks);
    return { jobs: createLinkJobs(deps), stop: () => deps.openLinks.flush() };
  },
  organizationEnd: { close: endLinksOf, lastTables: ['links'] },
};
