import { accounts, organizations } from '@highline/contract';
import { sendCsv, chosenColumns } from '../../platform/csv/index.ts';
import { required } from '../../kernel/failure.ts';
import { requireRole } from '../../kernel/rights.ts';
import { sendSaved, tagResponse, isSet, type Call, type Routes } from '../../platform/calls/index.ts';
import { limitOf } from '../../platform/listing/index.ts';
import { subscriptionDay } from '../subscriptions/index.ts';
import { deleteOrganization, type DeletionDeps } from './organization.deletion.ts';
import { organizationColumns } from './organization.export.ts';
import { openOrganization, rehearseOpening, type Opening } from './organization.opening.ts';
import { toOrganizationDto } from './organization.dto.ts';
import { organizationList, readFleet, readOrganization, type OrganizationContext } from './organizations.queries.ts';
import { saveOrganization } from './organizations.service.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export interface OrganizationRoutesDeps extends DeletionDeps, Pick<Deps, 'reader' | 'streams' | 'expiringDays' | 'mailSealing'> {
  /** Scheme, name and port of mailed links; undefined = those of the request. */
  readonly publicUrl: string | undefined;
  /** Days that the installation keeps readings and history (setting TELEMETRY_DAYS). */
  readonly keptDays: number;
}

const contextOf = ({ clock, expiringDays, keptDays }: OrganizationRoutesDeps): OrganizationContext => ({
  day: subscriptionDay(clock.now(), expiringDays),
  keptDays,
});

/** Registers the operations of organizations (ORG). */
export function registerOrganizationRoutes(routes: Routes, deps: OrganizationRoutesDeps): void {
  registerLists(routes, deps);
  registerChanges(routes, deps);
}

function registerLists(routes: Routes, deps: OrganizationRoutesDeps): void {
  routes.on(organizations.listOrganizations, async ({ scope, query, reply }) => {
    const list = organizationList(contextOf(deps));
    const limit = limitOf(query);
    if (limit === undefined) return list.accountResponse(deps, scope, { ...query, accounts: 'true' });
    const { rows, ...page } = await list.page(deps, scope, query, limit);
    const [only] = rows;
    if (query.id !== undefined && only !== undefined) tagResponse(reply, only.version);
    return {
      result: { list: rows.map((row, index) => toOrganizationDto(row, page.offset + index + 1, deps.keptDays)) },
      ...page,
    };
  });

  routes.on(organizations.fleet, async ({ scope }) => ({ result: await readFleet(deps.reader, scope) }));

  routes.on(organizations.exportOrganizations, async (call) => {
    const rows = organizationList(contextOf(deps)).items(deps.streams, call.scope, call.query);
    const columns = chosenColumns(organizationColumns, call.query.columns, organizations.organizationColumns);
    return sendCsv(call, 'Organizations_export', columns, rows);
  });
}

function registerChanges(routes: Routes, deps: OrganizationRoutesDeps): void {
  routes.on(organizations.createOrganization, async ({ scope, actor, query, body, request }) => {
    // Its contact becomes an admin, who stays when the own role of who made it is gone.
    if (body.contact !== undefined) requireRole(actor, accounts.createAccount);
    const origin = deps.publicUrl ?? `${request.protocol}://${request.host}`;
    const opening = openingOf(body, { origin, mailSealing: deps.mailSealing });
    const dryRun = isSet(query.dryRun);
    if (dryRun) await rehearseOpening(deps, scope, actor, opening);
    return { result: { id: dryRun ? '' : await openOrganization(deps, scope, actor, opening), dryRun } };
  });

  routes.on(organizations.saveOrganization, (call) => {
    const { scope, actor, body } = call;
    const { name, phone, address, tags, retentionDays: retention_days } = body;
    return sendSaved(
      call,
      (isCurrent) => saveOrganization(deps, scope, actor, { name, phone, address, tags, retention_days }, isCurrent),
      async () => {
        const row = required(await readOrganization(deps.reader, scope, contextOf(deps)), 'not_found', { field: 'org' });
        return { version: row.version, result: toOrganizationDto(row, 1, deps.keptDays) };
      },
    );
  });

  routes.on(organizations.deleteOrganization, async ({ scope, actor }) => ({
    result: { deleted: 1, devices: await deleteOrganization(deps, scope, actor) },
  }));
}

function openingOf(
  body: Call<typeof organizations.createOrganization>['body'],
  letter: Pick<Opening['mail'], 'origin' | 'mailSealing'>,
): Opening {
  const { name, phone = '', address = '', tags = [], contact, requestKey, language = 'en-US' } = body;
  return {
    name,
    phone,
    address,
    tags,
    contact,
    mail: { language, ...letter },
    requestKey,
  };
}
