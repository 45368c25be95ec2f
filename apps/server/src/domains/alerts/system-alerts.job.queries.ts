// Reads tables of other domains: accounts.
import type { alerts, Language } from '@highline/contract';
import { sql } from 'kysely';
import { newId, type OrganizationScope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { isFullAdmin } from '../accounts/admins/index.ts';
import { mailPeople } from '../notifications/index.ts';
import { deliverChanged } from './alert.events.ts';
import { firstAdmin } from './alert-people.queries.ts';
import { changedColumns, type ChangedAlert } from './alerts.job.queries.ts';
import { systemAlertMail, type MailedKind } from './system-alert.mail.ts';

/** What no rule has to watch. */
export interface SystemAlert {
  readonly kind: alerts.SystemKind;
  /** What it is about: stands where others have rule and device, so that there is one open alert of it. */
  readonly about: string;
  /** What stands for the device, where alerts of two kinds are about the same; undefined = what it is about. */
  readonly part?: string | undefined;
  /** What that is called: stands for the vehicle. */
  readonly name: string;
  readonly since: Date;
  /** Key of the group that it is about. */
  readonly group?: string | undefined;
  /** Undefined = that of the first admin. */
  readonly language?: Language | undefined;
}

/** One that admins get a mail about. */
export interface MailedAlert extends SystemAlert {
  readonly kind: MailedKind;
  /** Path of the page that the mail leads to. */
  readonly page: string;
}

const titles: Readonly<Record<alerts.SystemKind, Readonly<Record<Language, string>>>> = {
  'report-failed': { 'en-US': 'Summary not sent', 'zh-TW': '定期報表未寄出' },
  'backups-stopped': { 'en-US': 'Nightly backups stopped', 'zh-TW': '每晚備份已停止' },
  'rotation-stopped': { 'en-US': 'Automatic router passwords stopped', 'zh-TW': '自動更換路由器密碼已停止' },
  'tests-stopped': { 'en-US': 'Tests of a rule stopped', 'zh-TW': '規則的檢測已停止' },
  'settings-waiting': { 'en-US': 'Routers wait for settings', 'zh-TW': '路由器等候設定' },
};

/** As `openSystemAlert`, with a mail to the admins of the organization. @param origin scheme, name and port of links @returns as it does */
export async function openMailedAlert(
  tx: Tx,
  scope: OrganizationScope,
  alert: MailedAlert,
  origin: string,
  now: Date,
): Promise<boolean> {
  if (!(await openSystemAlert(tx, scope, alert, now))) return false;
  await mailPeople(tx, scope, await listAdmins(tx, scope), origin, (reader) => systemAlertMail(reader, alert), now);
  return true;
}

/** Open an alert that no rule has to watch. @returns false = it is open already */
export async function openSystemAlert(tx: Tx, scope: OrganizationScope, alert: SystemAlert, now: Date): Promise<boolean> {
  const { kind, about, part = about, name, since, group = '', language = await languageOf(tx, scope) } = alert;
  const fired = await tx
    .insertInto('alerts')
    .values({
      id: newId(now.getTime()),
      organization_id: scope.organizationId,
      main_account_id: scope.mainAccountId,
      rule_id: about,
      rule_name: titles[kind][language],
      severity: 'warning',
      kind,
      device_id: part,
      serial: '',
      vehicle_number: name,
      group_key: group,
      state: 'firing',
      since,
      fired_at: now,
      resolution: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'rule_id', 'device_id']).where('state', '<>', 'resolved').doNothing(),
    )
    .returning(changedColumns)
    .execute();
  await publishChanged(tx, scope, 'alert.fired', fired, now);
  return fired.length > 0;
}

/** What it was about is over, or was deleted. */
export async function endSystemAlert(
  tx: Tx,
  scope: OrganizationScope,
  { kind, about }: Pick<SystemAlert, 'kind' | 'about'>,
  now: Date,
): Promise<void> {
  const { rows } =
    await sql<ChangedAlert>`update alerts set state = 'resolved', resolved_at = ${now}::timestamptz, resolution = 'cleared'
    where organization_id = ${scope.organizationId}::uuid and rule_id = ${about}::uuid and kind = ${kind} and state <> 'resolved'
    returning ${sql.join(changedColumns.map((column) => sql.ref(column)))}`.execute(tx);
  await publishChanged(tx, scope, 'alert.resolved', rows, now);
}

async function publishChanged(
  tx: Tx,
  scope: OrganizationScope,
  type: 'alert.fired' | 'alert.resolved',
  changed: readonly ChangedAlert[],
  now: Date,
): Promise<void> {
  if (changed.length === 0) return;
  await announce(
    tx,
    scope,
    'alerts',
    changed.map(({ id }) => id),
  );
  await deliverChanged(tx, type, changed, now);
}

/** Admins who are informed of one alert. */
const MOST_ADMINS = 20;

/** Addresses of the admins who see the whole organization. */
async function listAdmins(tx: Tx, { organizationId }: OrganizationScope): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select a.email from accounts a
    where ${isFullAdmin(sql`${organizationId}::uuid`)} order by a.is_contact desc, a.email limit ${MOST_ADMINS}`.execute(tx);
  return rows.map(({ email }) => email);
}

/** The language of the first admin: messages of an alert without a rule have no other. */
async function languageOf(tx: Tx, { organizationId }: OrganizationScope): Promise<Language> {
  const { rows } = await sql<{
    language: Language | null;
  }>`select a.language from (select ${organizationId}::uuid as organization_id) r
    join accounts a on a.organization_id = r.organization_id and a.email = ${firstAdmin}`.execute(tx);
  return rows[0]?.language ?? 'en-US';
}
