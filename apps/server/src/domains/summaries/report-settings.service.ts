import { DomainError, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { checkLogo } from './logo.ts';
import { lockReportSettings, storeLogo, storeReportSettings, type SettingsInput } from './report-settings.store.ts';

type SettingsDeps = Pick<Deps, 'database' | 'clock'>;

/** Replace the settings of the reports of an organization, all but the logo (RPM-05). @throws DomainError `conflict.stale`, `request.invalid` */
export async function saveReportSettings(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  { target, carrierTargets, filesDays }: SettingsInput,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  if (new Set(carrierTargets.map(({ carrier }) => carrier)).size < carrierTargets.length)
    throw new DomainError('request.invalid', { message: 'carrierTargets: each carrier once', field: 'carrierTargets' });
  await deps.database.write(async (tx) => {
    const { version, hasLogo: _hasLogo, ...before } = await lockReportSettings(tx, scope);
    if (!isCurrent(version)) throw new DomainError('conflict.stale');
    const after = { target, carrierTargets, filesDays };
    await storeReportSettings(tx, scope, after);
    await noteChange(tx, deps, scope, actor, sentence('summary.settings'), { before, after });
  });
}

/** Put a logo at the head of documents, or none (RPM-02). @throws DomainError `logo.unreadable`, `logo.too_many_pixels` */
export async function saveLogo(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  image: Buffer | undefined,
): Promise<void> {
  const logo = image === undefined ? null : checkLogo(image);
  await deps.database.write(async (tx) => {
    await lockReportSettings(tx, scope);
    await storeLogo(tx, scope, logo);
    const action = sentence(logo === null ? 'summary.no_logo' : 'summary.logo');
    await noteChange(tx, deps, scope, actor, action, { bytes: logo?.length ?? 0 });
  });
}

async function noteChange(
  tx: Tx,
  { clock }: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  action: ReturnType<typeof sentence>,
  detail: Readonly<Record<string, unknown>>,
): Promise<void> {
  const subject = { kind: 'organization', id: scope.organizationId };
  await recordAudit(tx, scope.organizationId, actor, { action, subject, detail }, clock.now());
  await announce(tx, scope, 'summaries', []);
}
