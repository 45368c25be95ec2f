import { Button } from '../../ui/controls/Button.tsx';
import { IconClock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { Menu, type MenuItem } from '../../ui/Menu.tsx';
import { chooseZone, useZoneSetting } from '../../ui/time/zone.ts';
import { browserZone, zoneChoices } from '../../ui/time/zones.ts';

/** The time zone of every time on the screen (NAV-06): nine US zones and the browser's location. */
export function ZoneSelect(): ReactNode {
  const { t } = useTranslation();
  const { zone, followsBrowser } = useZoneSetting();
  const chosen = followsBrowser ? undefined : zoneChoices.find((choice) => choice.zone === zone);
  const items: MenuItem[] = [
    ...zoneChoices.map((choice) => ({
      id: choice.zone,
      label: choice.label,
      checked: choice === chosen,
      onPick: () => chooseZone(choice.zone),
    })),
    {
      id: 'browser',
      label: `${t('shell.zone.browser')} (${browserZone()})`,
      checked: chosen === undefined,
      onPick: () => chooseZone(undefined),
    },
  ];
  const shown = chosen?.label ?? t('shell.zone.browser');
  return (
    <Menu
      label={t('shell.zone.label')}
      align="end"
      items={items}
      trigger={(trigger) => (
        <Button
          variant="subtle"
          className="header__zone"
          aria-label={`${t('shell.zone.label')}: ${shown}`}
          leftSection={<IconClock size={16} stroke={1.7} />}
          {...trigger}
        >
          <span className="header__zone-name">{shown}</span>
        </Button>
      )}
    />
  );
}
