import { storeScheme, useScheme } from '../../../ui/scheme.ts';
import { IconBell, IconChecklist, IconLanguage, IconLogout, IconMoon, IconPlus, IconSun, IconUser } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { chooseLanguage } from '../../../i18n/i18n.ts';
import { useSession } from '../../../api/session.ts';
import { logOut } from '../../../session/sign-out.ts';
import { useLanguage } from '../../../ui/language.ts';
import { mayOpen, screensOf } from '../../screens.ts';
import type { Address, PaletteEntry, PaletteSection } from './entry.ts';

const size = 16;

/** Pages without an entry in the sidebar. */
const morePages = [
  { key: 'jobs', to: '/jobs', icon: IconChecklist },
  { key: 'notifications', to: '/devices/service/noitify', icon: IconBell },
  { key: 'profile', to: '/profile', icon: IconUser },
] as const;

const additions = [
  { key: 'addDevice', to: '/devices/add' },
  { key: 'addEsim', to: '/devices/esimsAdd' },
  { key: 'addGroup', to: '/groups/add' },
  { key: 'addConfig', to: '/groups/configAdd' },
  { key: 'addUser', to: '/users/add' },
  { key: 'createOrganization', to: '/organization/add' },
] as const;

/** The pages and the actions of the role, as the palette lists them. */
export function usePlaces(): readonly PaletteSection[] {
  const { t } = useTranslation();
  const { role } = useSession();
  const navigate = useNavigate();
  const open = (address: Address) => () => void navigate(address);
  const pages: PaletteEntry[] = [
    ...screensOf(role).map((screen) => ({
      key: `page ${screen.path}`,
      title: t(`shell.screen.${screen.key}`),
      icon: <screen.icon size={size} />,
      run: () => void navigate({ to: screen.path }),
    })),
    ...morePages
      .filter(({ to }) => mayOpen(role, to))
      .map(({ key, to, icon: Icon }) => ({
        key: `page ${to}`,
        title: t(`palette.page.${key}`),
        icon: <Icon size={size} />,
        run: open({ to }),
      })),
  ];
  const actions: PaletteEntry[] = [
    ...additions
      .filter(({ to }) => mayOpen(role, to))
      .map(({ key, to }) => ({
        key,
        title: t(`palette.action.${key}`),
        also: t(`palette.also.${key}`),
        icon: <IconPlus size={size} />,
        run: open({ to, search: {} }),
      })),
    ...useSettings(),
  ];
  return [
    { key: 'page', title: t('palette.section.page'), entries: pages },
    { key: 'action', title: t('palette.section.action'), entries: actions },
  ];
}

/** Appearance, language and the end of the session. */
function useSettings(): readonly PaletteEntry[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const colorScheme = useScheme();
  const scheme = colorScheme === 'dark' ? 'light' : 'dark';
  const other = language === 'en-US' ? 'zh-TW' : 'en-US';
  return [
    {
      key: 'scheme',
      title: t(`palette.action.${scheme}`),
      also: t('palette.also.scheme'),
      icon: scheme === 'dark' ? <IconMoon size={size} /> : <IconSun size={size} />,
      run: () => storeScheme(scheme),
    },
    {
      key: 'language',
      title: t(other === 'zh-TW' ? 'palette.action.chinese' : 'palette.action.english'),
      // The language is named in itself too, so that its speakers can find it.
      detail: other === 'zh-TW' ? '繁體中文' : 'English',
      also: t('palette.also.language'),
      icon: <IconLanguage size={size} />,
      run: () => void chooseLanguage(other),
    },
    {
      key: 'logOut',
      title: t('palette.action.logOut'),
      also: t('palette.also.logOut'),
      icon: <IconLogout size={size} />,
      run: () => void logOut(),
    },
  ];
}
