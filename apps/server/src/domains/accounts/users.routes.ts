import { accounts, leaves, MAIN_SERVICE } from '@highline/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendCsv, chosenColumns, timeIn } from '../../platform/csv/index.ts';
import { contentVersion, DomainError, type Actor } from '../../kernel/index.ts';
import { ifMatch, sendSaved, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { SavedAccount } from './account.dto.ts';
import type { AccountsService } from './accounts.service.ts';
import { userColumns } from './users.export.ts';
import { userList } from './users.queries.ts';
import { inLanguageOf } from './privilege.ts';
import type { Deps } from '../../platform/ports/deps.ts';

export interface UserRoutesDeps extends Pick<Deps, 'reader' | 'streams'> {
  readonly service: AccountsService;
  /** Scheme, name and port of a mailed link. */
  readonly originOf: (request: FastifyRequest) => string;
}

/** Registers cloud users and the user's own sessions. */
export function registerUserRoutes(routes: Routes, deps: UserRoutesDeps): void {
  const { service, originOf } = deps;

  routes.on(accounts.listAccounts, async ({ scope, query, request }) => userList(request).accountResponse(deps, scope, query));

  routes.on(accounts.exportAccounts, async (call) =>
    sendCsv(
      call,
      'Users_export',
      chosenColumns(userColumns(timeIn(call.query.zone, call.query.language)), call.query.columns, accounts.accountColumns),
      userList(call.request).items(deps.streams, call.scope, call.query),
    ),
  );

  routes.on(accounts.createAccount, async ({ actor, scope, body, request }) => {
    const { email, name, language = 'en-US', serviceContacter: isContact } = body;
    // The older form passes the member's role and the main account's service.
    const isOlder = body.role === `r.${MAIN_SERVICE}.vendor`;
    const { role, serviceRole } = body;
    const roleInput =
      isOlder && serviceRole !== undefined ? { role: serviceRole, roleField: 'serviceRole' } : { role, roleField: 'role' };
    rejectOtherVendor(actor, body.vendor, roleInput.role);
    const invited = await service.invite(actor, scope, {
      email,
      name,
      language,
      isContact,
      ...roleInput,
      origin: originOf(request),
    });
    return { result: inLanguageOf(request, invited) };
  });

  routes.on(accounts.editAccount, async ({ actor, params, body, request, reply }) => {
    rejectOtherVendor(actor, body.vendor);
    const isCurrent = ifMatch(request.headers['if-match']);
    return { result: inLanguageOf(request, tagged(reply, await service.rename(actor, params.id, body.name, isCurrent))) };
  });

  routes.on(accounts.changeRole, async ({ actor, body, request, reply }) => {
    rejectOtherVendor(actor, body.vendor);
    const isCurrent = ifMatch(request.headers['if-match']);
    return { result: inLanguageOf(request, tagged(reply, await service.changeRole(actor, body.id, body, isCurrent))) };
  });

  routes.on(accounts.addRole, async ({ actor, body, request }) => {
    rejectOtherVendor(actor, body.vendor, body.role);
    const joined = await service.addRole(actor, body.id, body.role, body.serviceContacter ?? false);
    return { result: inLanguageOf(request, joined) };
  });

  routes.on(accounts.deleteAccount, async ({ actor, params, query }) => {
    rejectOtherVendor(actor, query.vendor);
    await service.remove(actor, params.id);
    return { result: { deleted: 1 } };
  });

  routes.on(accounts.getAccount, async ({ actor, params, request, reply }) => {
    const account = tagged(reply, await service.getAccount(actor, params.id));
    const secondFactor = await service.hasSecondFactor(actor, account.id);
    const [invitation, limitedTo] = [await service.readInvitation(actor, account.id), await service.readLimit(actor, account.id)];
    const ownRole = await service.readOwnRole(actor, account.id);
    const guestEnded = account.roles.length > 0 ? null : await service.readGuestEnd(actor, account.id);
    const limitVersion = contentVersion(limitedTo);
    return {
      result: inLanguageOf(request, { ...account, secondFactor, invitation, limitedTo, limitVersion, ownRole, guestEnded }),
    };
  });

  routes.on(leaves.listLeaves, async ({ actor, params }) => ({ result: await service.readLeaves(actor, params.id) }));

  routes.on(accounts.savePersonLimit, (call) => {
    const { actor, params, body } = call;
    return sendSaved(
      call,
      (isCurrent) => service.saveLimit(actor, params.id, body.limitedTo, isCurrent),
      async () => {
        const limitedTo = await service.readLimit(actor, params.id);
        const version = contentVersion(limitedTo);
        return { version, result: { limitedTo, limitVersion: version } };
      },
    );
  });

  routes.on(accounts.sendInvitation, async ({ actor, params, request }) => ({
    result: await service.sendInvitation(actor, params.id, originOf(request)),
  }));

  routes.on(accounts.correctInvitation, async ({ actor, params, body, request }) => ({
    result: await service.correctInvitation(actor, params.id, body.email, originOf(request)),
  }));

  routes.on(accounts.listSessions, async ({ actor }) => ({ result: { list: await service.listSessions(actor) } }));

  routes.on(accounts.endSession, async ({ actor, params }) => ({
    result: { ended: await service.endSession(actor, params.session) },
  }));
}

/** An account, with the entity tag for its next save. */
function tagged(reply: FastifyReply, { account, version }: SavedAccount): accounts.Account {
  tagResponse(reply, version);
  return account;
}

/** `vendor` is optional and must be the user's own main account, or the organization of the role that is given. */
function rejectOtherVendor(actor: Actor, vendor: string | undefined, role = ''): void {
  if (vendor === undefined || vendor === '' || vendor === actor.mainAccountId || vendor === role.split('.')[1]) return;
  throw new DomainError('not_found');
}
