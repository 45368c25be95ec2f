import type { alerts, Language } from '@highline/contract';
import { compose, momentOf, type MailReader, type MailText } from '../notifications/index.ts';

/** What admins get a mail about; a report that was not sent has its own. */
export type MailedKind = Exclude<alerts.SystemKind, 'report-failed'>;

interface Texts {
  readonly title: string;
  /** @param name who saved the backups or the password settings; the rule; the group or the organization */
  readonly sentence: (name: string) => string;
}

const texts: Readonly<Record<MailedKind, Readonly<Record<Language, Texts>>>> = {
  'backups-stopped': {
    'en-US': {
      title: 'Nightly backups stopped',
      sentence: (name) =>
        `Routers are no longer backed up at night: ${name}, who saved the backup settings, left or may not back up routers any more. Save them again to continue the backups in your name.`,
    },
    'zh-TW': {
      title: '每晚備份已停止',
      sentence: (name) =>
        `路由器不再於夜間備份：儲存備份選項的 ${name} 已離開或不再有權備份路由器。請重新儲存備份選項，即可以您的名義繼續。`,
    },
  },
  'rotation-stopped': {
    'en-US': {
      title: 'Automatic router passwords stopped',
      sentence: (name) =>
        `Passwords of routers are no longer replaced automatically: ${name}, who saved the password settings, left or may not change router passwords any more. Save them again to continue in your name.`,
    },
    'zh-TW': {
      title: '自動更換路由器密碼已停止',
      sentence: (name) =>
        `系統不再自動更換路由器密碼：儲存密碼設定的 ${name} 已離開或不再有權變更路由器密碼。請重新儲存密碼設定，即可以您的名義繼續。`,
    },
  },
  'tests-stopped': {
    'en-US': {
      title: 'Tests of a rule stopped',
      sentence: (name) =>
        `The alert rule ${name} no longer has routers run its test: the person who saved it left or may not do it any more. Its open alerts stay as they are, and none is added. Save the rule again to continue in your name.`,
    },
    'zh-TW': {
      title: '規則的檢測已停止',
      sentence: (name) =>
        `警報規則「${name}」不再讓路由器執行檢測：儲存規則的使用者已離開或不再有此權限。未解除的警報維持原狀，也不會產生新的警報。請重新儲存規則，即可以您的名義繼續。`,
    },
  },
  'settings-waiting': {
    'en-US': {
      title: 'Routers wait for settings',
      sentence: (name) =>
        `The rollout of the settings of ${name} does not reach some of its routers: other settings were saved for them after it began. Review the settings and send them again.`,
    },
    'zh-TW': {
      title: '路由器等候設定',
      sentence: (name) => `「${name}」的設定部署無法送達部分路由器：部署開始後，又儲存了其他設定。請檢視設定並重新傳送。`,
    },
  },
};

const footers: Readonly<Record<Language, (organization: string) => string>> = {
  'en-US': (organization) => `You get this as an admin of ${organization}.`,
  'zh-TW': (organization) => `您是「${organization}」的管理員，因此收到此信。`,
};

/** The mail to an admin about what no rule has to watch. */
export function systemAlertMail(
  reader: MailReader,
  { kind, name, since, page }: { readonly kind: MailedKind; readonly name: string; readonly since: Date; readonly page: string },
): MailText {
  const { title, sentence } = texts[kind][reader.language];
  const wording = { title, sentence: sentence(name), footer: footers[reader.language](reader.organization) };
  return compose(reader, wording, { about: name, lines: [momentOf(reader, since)], more: 0, place: page });
}
