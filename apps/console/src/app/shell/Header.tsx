import { ActionIcon } from '../../ui/controls/Button.tsx';
import { storeScheme, useScheme } from '../../ui/scheme.ts';
import {
  IconDeviceDesktop,
  IconGauge,
  IconTemperature,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { IconButton } from '../../ui/ActionButton.tsx';
import { type Language, languages, useLanguage } from '../../ui/language.ts';
import { Menu } from '../../ui/Menu.tsx';
import { chooseSpeedUnit, chooseTemperatureUnit, useSpeedUnit, useTemperatureUnit } from '../../ui/units.ts';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { logOut } from '../../session/sign-out.ts';
import { useSession } from '../../api/session.ts';
import { AlertsButton } from './AlertsButton.tsx';
import { JobsButton } from './JobsButton.tsx';
import { PaletteButton } from './PaletteButton.tsx';
import { ZoneSelect } from './ZoneSelect.tsx';

const schemes = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;
const schemeNames = ['light', 'dark', 'auto'] as const;

function SchemeMenu(): ReactNode {
  const { t } = useTranslation();
  const colorScheme = useScheme();
  const Icon = schemes[colorScheme];
  return (
    <Menu
      label={t('shell.scheme.label')}
      align="end"
      items={schemeNames.map((name) => ({
        id: name,
        label: t(`shell.scheme.${name}`),
        checked: name === colorScheme,
        onPick: () => storeScheme(name),
      }))}
      trigger={(trigger) => (
        <ActionIcon aria-label={t('shell.scheme.label')} title={t('shell.scheme.label')} {...trigger}>
          <Icon size={18} stroke={1.7} />
        </ActionIcon>
      )}
    />
  );
}

// Each language is named in itself, so that its speakers can find it.
const languageNames: Record<Language, string> = { 'en-US': 'English', 'zh-TW': '繁體中文' };
const languageMarks: Record<Language, string> = { 'en-US': 'EN', 'zh-TW': '中' };

function LanguageMenu(): ReactNode {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Menu
      label={t('shell.language')}
      align="end"
      items={languages.map((one) => ({
        id: one,
        label: languageNames[one],
        checked: one === language,
        onPick: () => void chooseLanguage(one),
      }))}
      trigger={(trigger) => (
        <ActionIcon aria-label={t('shell.language')} title={t('shell.language')} {...trigger}>
          <span className="header__language mark" data-mark={languageMarks[language]} />
        </ActionIcon>
      )}
    />
  );
}

/** Two letters for a person's round picture. */
function initials(name: string): string {
  const parts = name.split(/[\s@._-]+/u).filter((part) => part !== '');
  return parts
    .slice(0, 2)
    .map((part) => Array.from(part)[0]?.toUpperCase() ?? '')
    .join('');
}

function AccountMenu(): ReactNode {
  const { t } = useTranslation();
  const { name, email, role, ownRole } = useSession();
  const navigate = useNavigate();
  const otherUnit = useSpeedUnit() === 'mph' ? 'km/h' : 'mph';
  const otherDegrees = useTemperatureUnit() === '°F' ? '°C' : '°F';
  return (
    <Menu
      label={t('shell.account')}
      align="end"
      head={
        <>
          <div className="strong">{name}</div>
          <div className="dim">{email}</div>
          <div className="dim">{ownRole?.name ?? t(`shell.role.${role}`)}</div>
        </>
      }
      items={[
        {
          id: 'profile',
          label: t('shell.profile'),
          icon: <IconUser size={16} />,
          onPick: () => void navigate({ to: role === 'user' ? '/users/roleEdit' : '/profile' }),
        },
        {
          id: 'speeds',
          label: t('shell.speeds', { unit: otherUnit }),
          icon: <IconGauge size={16} />,
          onPick: () => chooseSpeedUnit(otherUnit),
        },
        {
          id: 'temperatures',
          label: t('shell.temperatures', { unit: otherDegrees }),
          icon: <IconTemperature size={16} />,
          onPick: () => chooseTemperatureUnit(otherDegrees),
        },
        { id: 'out', label: t('shell.logOut'), icon: <IconLogout size={16} />, onPick: () => void logOut() },
      ]}
      trigger={(trigger) => (
        <button
          type="button"
          className="header__avatar mark"
          data-mark={initials(name === '' ? email : name)}
          aria-label={t('shell.account')}
          title={email}
          {...trigger}
        />
      )}
    />
  );
}

/** Organization name, command palette, time zone, language, appearance and account. */
export function Header({ menuOpen, onMenu }: { menuOpen: boolean; onMenu: () => void }): ReactNode {
  const { t } = useTranslation();
  const { org, mainAccountName, role, demo, limitedTo } = useSession();
  return (
    <header className="header">
      <IconButton
        label={menuOpen ? t('shell.closeMenu') : t('shell.openMenu')}
        icon={<IconMenu2 size={18} stroke={1.7} />}
        onClick={onMenu}
      />
      <div className="header__whose">
        <span className="strong" title={org?.name ?? mainAccountName}>
          {org?.name ?? mainAccountName}
        </span>
        <span className="dim header__kind">{t(role === 'main' ? 'shell.kind.main' : 'shell.kind.organization')}</span>
        {limitedTo && (
          <span className="header__limit" title={limitedTo.join(t('ui.between'))}>
            {t('shell.limited', { names: limitedTo.join(t('ui.between')) || '–' })}
          </span>
        )}
        {demo && <span className="header__demo">{t('shell.demo')}</span>}
      </div>
      <span className="spacer" />
      <PaletteButton />
      <AlertsButton />
      <JobsButton />
      <ZoneSelect />
      <LanguageMenu />
      <SchemeMenu />
      <AccountMenu />
    </header>
  );
}
