import { isDeepStrictEqual } from 'node:util';
import { bulkJobs, views } from '@highline/contract';
import type { z } from 'zod';
import { type Actor, DomainError, invalidField, newId, required, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import { readViews, type ViewRow } from './views.queries.ts';
import {
  countShared,
  countViews,
  forgetDefaultsOfOthers,
  insertView,
  isNameTaken,
  lockView,
  lockViews,
  putDefault,
  removeView,
  updateView,
  type StoredView,
  type ViewChange,
} from './views.store.ts';

export type ViewDeps = Pick<Deps, 'database' | 'clock' | 'reader'>;

/** The bodies of the calls that save a new view and change one. */
type ViewInput = z.output<typeof views.addView.body>;
type ViewEdit = z.output<typeof views.saveView.body>;

/** The person's own views and the shared ones, by name (BLK-03). */
export async function listViews({ reader }: Pick<ViewDeps, 'reader'>, scope: Scope, actor: Actor): Promise<views.SavedView[]> {
  return (await readViews(reader, scope, actor)).map((row) => toViewDto(row, actor));
}

function toViewDto(row: ViewRow, actor: Actor): views.SavedView {
  return {
    id: row.id,
    list: row.list,
    name: row.name,
    shared: row.is_shared,
    own: row.account_id === actor.accountId,
    editable: mayChange(row, actor),
    isDefault: row.is_default,
    content: row.content,
    missing: row.missing,
    version: row.version,
  };
}

/** Its maker may change a view; a shared one, which alert rules may watch, those who share views. */
function mayChange({ is_shared, account_id }: Pick<StoredView, 'is_shared' | 'account_id'>, actor: Actor): boolean {
  return is_shared ? mayShare(actor) : account_id === actor.accountId;
}

const mayShare = ({ role, ownRole, limit }: Pick<Actor, 'role' | 'ownRole' | 'limit'>) =>
  role !== 'user' && ownRole === undefined && limit === undefined;

/**
 * Save a new view (BLK-03).
 * @throws DomainError `permission.denied` to share as a user or within a limit, `view.name_taken`, `view.too_many`, `request.invalid`
 */
export async function addView(deps: ViewDeps, scope: Scope, actor: Actor, input: ViewInput): Promise<views.SavedView> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  const { list, name, shared = false } = input;
  if (shared) required(mayShare(actor) || undefined, 'permission.denied');
  const content = checked(list, input.content);
  await deps.database.write(async (tx) => {
    await lockViews(tx, scope);
    if ((await countViews(tx, scope, actor)) >= views.MOST_VIEWS) throw new DomainError('view.too_many');
    if (shared) await rejectTooManyShared(tx, scope);
    await rejectTakenName(tx, scope, actor, { list, name });
    await insertView(tx, scope, { id, list, name, is_shared: shared, account_id: actor.accountId, content }, now);
    const event = { action: sentence('view.saved', name), subject: { kind: 'view', id }, detail: { list, shared, content } };
    await record(tx, scope, actor, event, now);
  });
  return getView(deps, scope, actor, id);
}

/**
 * Change a view, or make it the person's default (BLK-03).
 * @param isCurrent whether the caller's version is the current one
 * @throws DomainError `view.not_found`, `permission.denied`, `conflict.stale`, `view.name_taken`, `request.invalid`
 */
export async function saveView(
  deps: ViewDeps,
  scope: Scope,
  actor: Actor,
  id: string,
  { isDefault, ...edit }: ViewEdit,
  isCurrent: (version: number) => boolean,
): Promise<views.SavedView> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    await lockViews(tx, scope);
    const view = required(await lockView(tx, scope, actor, id), 'view.not_found');
    const change = changeOf(view, edit);
    if (Object.keys(change).length > 0) {
      required(mayChange(view, actor) || undefined, 'permission.denied');
      if (!isCurrent(view.version)) throw new DomainError('conflict.stale');
      await applyChange(tx, scope, actor, view, change, now);
    }
    if (isDefault !== undefined && (await setDefault(tx, scope, actor, view, isDefault))) {
      const action = sentence(isDefault ? 'view.opens' : 'view.opens_no_longer', { terms: [view.list] }, view.name);
      await record(tx, scope, actor, { action, subject: { kind: 'view', id }, detail: { list: view.list } }, now);
    }
  });
  return getView(deps, scope, actor, id);
}

async function setDefault(tx: Tx, scope: Scope, actor: Actor, view: StoredView, isDefault: boolean): Promise<boolean> {
  return putDefault(tx, scope, actor, view.list, isDefault ? view.id : null);
}

/** What an edit really changes. */
function changeOf(view: StoredView, { name, shared, content }: Omit<ViewEdit, 'isDefault'>): ViewChange {
  const next = content === undefined ? undefined : checked(view.list, content);
  return {
    ...(name === undefined || name === view.name ? {} : { name }),
    ...(shared === undefined || shared === view.is_shared ? {} : { is_shared: shared }),
    ...(next === undefined || isDeepStrictEqual(next, view.content) ? {} : { content: next }),
  };
}

async function applyChange(tx: Tx, scope: Scope, actor: Actor, view: StoredView, change: ViewChange, now: Date): Promise<void> {
  const { id, list } = view;
  if (change.is_shared !== undefined) required(mayShare(actor) || undefined, 'permission.denied');
  if (change.is_shared === true) await rejectTooManyShared(tx, scope);
  const name = change.name ?? view.name;
  if (change.name !== undefined || change.is_shared === true) await rejectTakenName(tx, scope, actor, { list, name, id });
  await updateView(tx, scope, view, change, now);
  if (change.is_shared === false) await forgetDefaultsOfOthers(tx, scope, view);
  const names = Object.keys(change) as (keyof ViewChange)[];
  const before = Object.fromEntries(names.map((key) => [key, view[key]]));
  const event = {
    action: sentence('view.changed', name),
    subject: { kind: 'view', id },
    detail: { list, before, after: change },
  };
  await record(tx, scope, actor, event, now);
}

/**
 * Delete a view; lists that opened with it open without one.
 * @throws DomainError `view.not_found`, `permission.denied`
 */
export async function deleteView(deps: ViewDeps, scope: Scope, actor: Actor, id: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    const view = required(await lockView(tx, scope, actor, id), 'view.not_found');
    required(mayChange(view, actor) || undefined, 'permission.denied');
    await removeView(tx, scope, id);
    const event = {
      action: sentence('view.deleted', view.name),
      subject: { kind: 'view', id },
      detail: { list: view.list, shared: view.is_shared, content: view.content },
    };
    await record(tx, scope, actor, event, now);
  });
}

export const isOfDevices = (list: views.ViewList) => list === 'devices' || list === 'org-devices';

/** Parts of a device list's address that are no filter of devices. */
const others: ReadonlySet<string> = new Set(['sort', 'org']);

/** @throws DomainError `request.invalid` for a filter that device lists do not have */
export function deviceFilterOf({ search }: views.ViewContent) {
  const filter = Object.fromEntries(Object.entries(search).filter(([name]) => !others.has(name)));
  const parsed = bulkJobs.deviceFilter.safeParse(filter);
  if (parsed.success) return parsed.data;
  const field = String(parsed.error.issues[0]?.path[0] ?? 'search');
  throw invalidField(field, 'is not a filter of this list');
}

/** A view of devices is a target too, so its filters must be those of the device list. */
function checked(list: views.ViewList, content: views.ViewContent): views.ViewContent {
  if (isOfDevices(list)) deviceFilterOf(content);
  return content;
}

async function getView(deps: ViewDeps, scope: Scope, actor: Actor, id: string): Promise<views.SavedView> {
  const [row] = await readViews(deps.reader, scope, actor, id);
  return toViewDto(required(row, 'view.not_found'), actor);
}

async function rejectTooManyShared(tx: Tx, scope: Scope): Promise<void> {
  if ((await countShared(tx, scope)) >= views.MOST_VIEWS) throw new DomainError('view.too_many');
}

async function rejectTakenName(tx: Tx, scope: Scope, actor: Actor, name: Parameters<typeof isNameTaken>[3]): Promise<void> {
  if (await isNameTaken(tx, scope, actor, name)) throw new DomainError('view.name_taken', { field: 'name' });
}

async function record(tx: Tx, scope: Scope, actor: Actor, event: Parameters<typeof recordAudit>[3], now: Date): Promise<void> {
  await announce(tx, scope, 'views', []);
  await recordAudit(tx, scope.kind === 'organization' ? scope.organizationId : scope.mainAccountId, actor, event, now);
}
