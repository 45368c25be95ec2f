import type { accounts, Language } from '@highline/contract';
import type { FastifyRequest } from 'fastify';

type ApiRole = accounts.Account['role'];

/** The permissions of a role (part 2, section 6). */
const texts: Readonly<Record<Language, Readonly<Record<ApiRole, string>>>> = {
  'en-US': {
    vendorSuper: 'Manages organizations, their accounts and devices, the inventory and firmware.',
    super: 'Views and manages devices, groups, firmware, config files and users; remote administration; downloads the cloud log.',
    vendor: 'Views devices and groups; downloads their lists and the cloud log. Cannot change, connect to routers, or upload.',
  },
  'zh-TW': {
    vendorSuper: '管理組織及其帳號與裝置、庫存與韌體。',
    super: '檢視與管理裝置、群組、韌體、設定檔與使用者；遠端管理；下載雲端操作紀錄。',
    vendor: '檢視裝置與群組；下載清單與雲端操作紀錄。無法變更、連線至路由器或上傳。',
  },
};

const noAccess: Readonly<Record<Language, string>> = { 'en-US': 'No access.', 'zh-TW': '無存取權。' };

/** The text of a role's privileges. */
export const privilegeOf = (role: ApiRole, language: Language = 'en-US'): string => texts[language][role];

/** A request, which names the languages its user prefers. */
export type LanguageSource = Pick<FastifyRequest, 'headers'>;

/** The same account with its privileges in the language of the request; English unless Chinese is preferred. */
export function inLanguageOf<Account extends Described>({ headers }: LanguageSource, account: Account): Account {
  const language = /^\s*zh/iu.test(headers['accept-language'] ?? '') ? 'zh-TW' : 'en-US';
  return { ...account, privilege: describePrivilege(account, language) };
}

type Described = Pick<accounts.Account, 'role' | 'roles' | 'privilege'> & { readonly ownRole?: accounts.HeldRole | null };

/** An own role says by its rights what it allows. */
function describePrivilege({ role, roles, ownRole }: Described, language: Language): string {
  if (roles.length === 0) return noAccess[language];
  if (ownRole === undefined || ownRole === null) return privilegeOf(role, language);
  return [ownRole.name, ownRole.rights.join(language === 'zh-TW' ? '、' : ', ')].join(language === 'zh-TW' ? '：' : ': ');
}
