import { IconChecks, IconChevronDown, IconLifebuoy, IconLogin2, IconShieldLock, IconUserCog } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { Button } from '../../ui/controls/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';

/** The ways from the lists of people to how they sign in and what they may do (IAM-01, IAM-03, IAM-05 to IAM-07). */
export function AccessMenu(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { role } = useSession();
  const items = [
    ['/identity-providers', t('users.companySignIn'), IconLogin2],
    ['/sign-in-rules', t('users.signInRules'), IconShieldLock],
    ['/roles', t('users.roles'), IconUserCog],
    ['/approvals', t('users.approvals'), IconChecks],
    ['/access', t(role === 'main' ? 'users.accessMine' : 'users.access'), IconLifebuoy],
  ] as const;
  return (
    <Menu
      label={t('users.accessMenu')}
      align="end"
      items={items.map(([to, label, Icon]) => ({
        id: to,
        label,
        icon: <Icon size={16} />,
        onPick: () => void navigate({ to, search: {} }),
      }))}
      trigger={(popup) => (
        <Button {...popup} leftSection={<IconShieldLock size={16} />} rightSection={<IconChevronDown size={14} />}>
          {t('users.accessMenu')}
        </Button>
      )}
    />
  );
}
