import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { summaries as calls, summaryRights } from '@highline/contract';
import { DomainError, isId, required, requireRight, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { announceFile } from '../../platform/calls/attachment.ts';
import { sendSaved, sendVersioned, tagResponse, type Routes } from '../../platform/calls/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { answerLink, type LinkDeps } from './answer-link.ts';
import type { KindSources } from './kind-request.ts';
import { saveLogo, saveReportSettings } from './report-settings.service.ts';
import { readReportSettings } from './report-settings.queries.ts';
import { readSentFile, saved } from './saved.queries.ts';
import { createSummary, deleteSummary, resumeRecipient, saveSummary, sendSummary, type SavedDeps } from './saved.service.ts';
import { openSummary, previewOf, writeSummary } from './summary.file.ts';

export type SummaryRoutesDeps = Pick<Deps, 'database' | 'clock'> & KindSources & LinkDeps & SavedDeps;

/** Registers the calls of summaries (RPM-01 to RPM-03). */
export function registerSummaryRoutes(routes: Routes, deps: SummaryRoutesDeps): void {
  const read = (scope: Scope, id: string) => saved.get(deps, scope, id);

  routes.on(calls.previewSummary, async ({ scope, actor, query }) => {
    requireRight(actor, summaryRights[query.kind]);
    return { result: await previewOf(await openSummary(deps, scope, query, deps.clock.now()), deps) };
  });
  routes.on(calls.summaryFile, async ({ scope, actor, query, reply }) => {
    requireRight(actor, summaryRights[query.kind]);
    const summary = await openSummary(deps, scope, query, deps.clock.now());
    const { name, type, content } = writeSummary(summary, deps, query.format ?? 'pdf', query.separator);
    announceFile(reply, name, type);
    return content;
  });

  routes.on(calls.listSummaries, async ({ scope, query }) => saved.list(deps.clock.now()).respond(deps, scope, query));
  routes.on(calls.createSummary, async ({ scope, actor, body }) => ({
    result: await read(scope, await createSummary(deps, scope, actor, body)),
  }));
  routes.on(calls.saveSummary, async ({ scope, actor, params, body, request, reply }) =>
    sendVersioned(
      { request, reply },
      (isCurrent) => saveSummary(deps, scope, actor, params.summary, body, isCurrent),
      () => read(scope, params.summary),
    ),
  );
  routes.on(calls.deleteSummary, async ({ scope, actor, params }) => {
    await deleteSummary(deps, scope, actor, params.summary);
    return { result: { deleted: 1 as const } };
  });
  routes.on(calls.sendSummary, async ({ scope, actor, params }) => {
    await sendSummary(deps, scope, actor, params.summary);
    return { result: await read(scope, params.summary) };
  });
  routes.on(calls.resumeRecipient, async ({ scope, actor, params, body }) => {
    await resumeRecipient(deps, scope, actor, params.summary, body.mail.toLowerCase());
    return { result: await read(scope, params.summary) };
  });
  routes.on(calls.sentFile, async ({ scope, actor, params, query, reply }) => {
    const at = new Date(query.at ?? '');
    if (!isId(params.summary) || Number.isNaN(at.getTime())) throw new DomainError('summary.file_gone');
    const { kind, name, type, content } = required(
      await readSentFile(deps.reader, scope, params.summary, at),
      'summary.file_gone',
    );
    requireRight(actor, summaryRights[kind]);
    announceFile(reply, name, type);
    return Readable.from([content]);
  });

  const settings = async (scope: OrganizationScope) => {
    const { version, ...rest } = await readReportSettings(deps.database.read, scope);
    return { version, result: { ...rest, version: String(version) } };
  };
  routes.on(calls.readSettings, async ({ scope, reply }) => {
    const { version, result } = await settings(scope);
    tagResponse(reply, version);
    return { result };
  });
  routes.on(calls.saveSettings, async ({ scope, actor, body, request, reply }) =>
    sendSaved(
      { request, reply },
      (isCurrent) => saveReportSettings(deps, scope, actor, body, isCurrent),
      () => settings(scope),
    ),
  );
  routes.on(
    calls.saveLogo,
    async ({ scope, actor, file }) => {
      if (file === undefined) throw new DomainError('logo.unreadable', { field: 'logo' });
      await saveLogo(deps, scope, actor, await readFile(file.path));
      return { result: (await settings(scope)).result };
    },
    { maxBytes: calls.MAX_LOGO_BYTES, tooLarge: 'logo.too_large' },
  );
  routes.on(calls.deleteLogo, async ({ scope, actor }) => {
    await saveLogo(deps, scope, actor, undefined);
    return { result: (await settings(scope)).result };
  });

  routes.on(calls.answerLink, async ({ query, address }) => ({
    result: { purpose: await answerLink(deps, query.token, address) },
  }));
}
