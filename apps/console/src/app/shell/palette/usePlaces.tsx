import { IconBolt, IconLanguage, IconLogout, IconMoon, IconPlus, IconSun } from '@tabler/icons-react';
import { pageActions } from '../../../routing/page-actions.ts';
import { useStore } from '../../../ui/store.ts';
import { storeScheme, useScheme } from '../../../ui/scheme.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '#i18n';
import { chooseLanguage } from '../../../i18n/i18n.ts';
import type { PaletteItem } from '../../../routing/palette.ts';
import { useSession } from '../../../api/session.ts';
import { logOut } from '../../../session/sign-out.ts';
import { useLanguage } from '../../../ui/language.ts';
import { mayOpen, screensOf } from '../../pages.ts';
import type { PaletteEntry, PaletteSection } from './entry.ts';

const size = 16;

const items = Object.values(
  import.meta.glob<{ readonly palette: readonly PaletteItem[] }>('../../../domains/*/palette.ts', { eager: true }),
)
  .flatMap(({ palette }) => palette)
  .toSorted((one, other) => one.order - other.order);

/** The pages and the actions of the role, as the palette lists them. */
export function usePlaces(): readonly PaletteSection[] {
  const { t, i18n } = useTranslation();
  const session = useSession();
  const navigate = useNavigate();
  const toEntry = ({ path, title, also, icon: Icon = IconPlus }: PaletteItem): PaletteEntry => ({
    key: `page ${path}`,
    title: title[i18n.language],
    ...(also && { also: also[i18n.language] }),
    icon: <Icon size={size} />,
    run: () => void navigate({ to: path, search: {} }),
  });
  const listed = items.filter(({ path }) => mayOpen(session, path));
  const pages = [...screensOf(session), ...listed.filter(({ icon }) => icon !== undefined)].map(toEntry);
  const own = useStore(pageActions).map((action): PaletteEntry => ({ ...action, icon: <IconBolt size={size} /> }));
  const actions = listed.filter(({ icon }) => icon === undefined).map(toEntry);
  return [
    { key: 'page', title: t('palette.section.page'), entries: pages },
    { key: 'action', title: t('palette.section.action'), entries: [...own, ...actions, ...useSettings()] },
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
