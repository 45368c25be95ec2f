import { mayBeSaved, settingsSchema, type routerSettings } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, newId, required, type Actor, type OrganizationScope, type Sealing } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { recordAudit, sentence, type AuditAction, type SentencePart } from '../logs/index.ts';
import { createPreview } from './preview.ts';
import type { LevelContent } from './resolve.ts';
import { toLevelDto } from './settings.dto.ts';
import {
  countDevices,
  findDesiredOf,
  findInherited,
  findLevel,
  findSaved,
  type LevelTarget,
  type SavedLevel,
} from './settings.queries.ts';
import { openSecrets, settingsOf, type Secrets } from './settings.rows.ts';
import { insertVersion } from './settings.store.ts';

export interface SettingsDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly settingSealing: Sealing;
}

/** A level as a call names it. */
export interface NamedLevel {
  readonly group?: string | undefined;
  readonly device?: string | undefined;
}

type Input = z.output<typeof routerSettings.saveSettings.body>['values'];

/** Devices that are read at once. */
const BATCH = 1_000;

/** @throws DomainError `settings.one_level`, `group.not_found`, `not_found` for the device */
async function requireLevel(queries: Queries, scope: OrganizationScope, named: NamedLevel): Promise<LevelTarget> {
  if (named.group !== undefined && named.device !== undefined) throw new DomainError('settings.one_level', { field: 'group' });
  const found = await findLevel(queries, scope, named);
  return named.device === undefined
    ? required(found, 'group.not_found', { field: 'group' })
    : required(found, 'not_found', { field: 'device' });
}

/** What a level sets and inherits. @throws DomainError as `requireLevel` */
export async function readLevel(
  { database }: Pick<SettingsDeps, 'database'>,
  scope: OrganizationScope,
  named: NamedLevel,
): Promise<routerSettings.LevelSettings> {
  const target = await requireLevel(database.read, scope, named);
  const saved = await findSaved(database.read, scope, target);
  const inherited = await findInherited(database.read, scope, target);
  return toLevelDto(target, saved, inherited, await countDevices(database.read, scope, target));
}

/**
 * Replace what a level sets; nothing is sent by it.
 * @throws DomainError `conflict.stale`, `settings.invalid_value`, and as `requireLevel`
 */
export async function saveLevel(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  { values, ...named }: NamedLevel & { readonly values: Input },
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const target = await requireLevel(tx, scope, named);
    const saved = await findSaved(tx, scope, target);
    if (!isCurrent(saved?.version ?? 0)) throw new DomainError('conflict.stale');
    const { content, secrets } = toContent(deps.settingSealing, saved, values);
    if (!isSameContent(saved?.content ?? {}, content))
      await storeLevel(tx, deps, scope, actor, { target, saved, content, secrets }, now);
  });
}

interface LevelChange {
  readonly target: LevelTarget;
  readonly saved: SavedLevel | undefined;
  readonly content: LevelContent;
  readonly secrets: Readonly<Record<string, string>>;
  /** What the log says of it; by default that it was saved. */
  readonly action?: AuditAction;
}

async function storeLevel(
  tx: Tx,
  { settingSealing }: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  { target, saved, content, secrets, action }: LevelChange,
  now: Date,
): Promise<void> {
  const seal = (id: string) =>
    Object.keys(secrets).length === 0 ? null : settingSealing.seal(id, Buffer.from(JSON.stringify(secrets)));
  await insertVersion(tx, scope, target, { version: (saved?.version ?? 0) + 1, content, seal, email: actor.email }, now);
  await announce(tx, scope, 'settings', target.deviceId === null ? [] : [target.deviceId]);
  const event = {
    action: action ?? sentence('settings.saved', partOf(target), Object.keys(content).length),
    subject: { kind: target.level, id: target.deviceId ?? target.groupKey ?? scope.organizationId },
    detail: {
      level: target.level,
      name: target.name,
      before: maskedContent(saved?.content ?? {}),
      after: maskedContent(content),
    },
  };
  await recordAudit(tx, scope.organizationId, actor, event, now);
}

function partOf({ level, name }: LevelTarget): SentencePart {
  if (level === 'organization') return sentence('part.settings_organization');
  return level === 'device' ? sentence('part.device', name) : name;
}

const MASK = '••••••';

/** What a log entry shows: no secret, and not its id either. */
function maskedContent(content: LevelContent): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(content).map(([path, stored]) => [path, 'value' in stored ? stored.value : MASK]));
}

const pathsInSchema = new Map(settingsSchema.map((setting) => [setting.path, setting]));

/** What is to be stored: secrets that are kept keep their ids, so that routers that confirmed them need not be sent them again. */
function toContent(sealing: Sealing, saved: SavedLevel | undefined, values: Input): Pick<LevelChange, 'content' | 'secrets'> {
  let opened: Secrets | undefined;
  const keptOf = (id: string) => (opened ??= saved === undefined ? {} : openSecrets(sealing, saved))[id]!;
  const secrets: Record<string, string> = {};
  const content = values.map(({ path, value }): [string, LevelContent[string]] => {
    const setting = pathsInSchema.get(path)!;
    const invalid = () => new DomainError('settings.invalid_value', { field: path });
    if (value !== null && !mayBeSaved(setting, value)) throw invalid();
    if (setting.isSecret !== true) {
      if (value === null) throw invalid();
      return [path, { value }];
    }
    const stored = saved?.content[path];
    if (value !== null) {
      const id = newId();
      secrets[id] = value;
      return [path, { secret: id }];
    }
    if (stored === undefined || !('secret' in stored)) throw invalid();
    secrets[stored.secret] = keptOf(stored.secret);
    return [path, stored];
  });
  return { content: Object.fromEntries(content), secrets };
}

function isSameContent(before: LevelContent, after: LevelContent): boolean {
  const ordered = (content: LevelContent) => JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return ordered(before) === ordered(after);
}

/** What would change on devices if these values were saved (TPL-03). @throws DomainError `settings.invalid_value`, and as `requireLevel` */
export async function previewLevel(
  { database, settingSealing }: SettingsDeps,
  scope: OrganizationScope,
  { values, ...named }: NamedLevel & { readonly values: Input },
): Promise<routerSettings.SettingsPreview> {
  const target = await requireLevel(database.read, scope, named);
  const { content } = toContent(settingSealing, await findSaved(database.read, scope, target), values);
  const sum = createPreview(target.level, content);
  let after: string | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a page begins after the one before
    const rows = await findDesiredOf(database.read, scope, target, { after, limit: BATCH });
    for (const row of rows) sum.add(row);
    if (rows.length < BATCH) return sum.total();
    after = rows.at(-1)!.deviceId;
  }
}

/**
 * Make what the router reports an exception of its device, where that differs and fits (TPL-05).
 * @throws DomainError `not_found` for the device, `settings.nothing_differs`
 */
export async function adoptReported(deps: SettingsDeps, scope: OrganizationScope, actor: Actor, device: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const target = await requireLevel(tx, scope, { device });
    const [row] = await findDesiredOf(tx, scope, target, { limit: 1 });
    const { report } = required(row, 'not_found', { field: 'device' });
    const adopted = settingsOf(row!).flatMap(({ setting, text }): [string, LevelContent[string]][] => {
      const known = report !== null && Object.hasOwn(report, setting.path) ? report[setting.path] : undefined;
      const isCurrent =
        known !== undefined && known.desired === text && (known.state === 'differs' || known.state === 'rejected');
      const actual = isCurrent ? known.actual : undefined;
      return actual !== undefined && mayBeSaved(setting, actual) && !actual.includes('{{')
        ? [[setting.path, { value: actual }]]
        : [];
    });
    if (adopted.length === 0) throw new DomainError('settings.nothing_differs');
    const saved = await findSaved(tx, scope, target);
    const content = { ...saved?.content, ...Object.fromEntries(adopted) };
    const secrets = saved === undefined ? {} : openSecrets(deps.settingSealing, saved);
    const action = sentence('settings.adopted', target.name, adopted.length);
    await storeLevel(tx, deps, scope, actor, { target, saved, content, secrets, action }, now);
  });
}
