import { identityProviders as calls } from '@highline/contract';
import { IconPlus, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { ActionIcon, Button } from '../../ui/controls/Button.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import type { RuleDraft } from './identity-providers.api.ts';

interface RoleFieldsProps {
  readonly rules: readonly RuleDraft[];
  readonly onRules: (rules: readonly RuleDraft[]) => void;
  readonly defaultRole: RuleDraft['role'];
  readonly onDefaultRole: (role: RuleDraft['role']) => void;
}

/** Which claims give which role, in their order; and the role of those whom none fits. */
export function RoleFields({ rules, onRules, defaultRole, onDefaultRole }: RoleFieldsProps): ReactNode {
  const { t } = useTranslation();
  const { role: own } = useSession();
  const roles = calls.providerRoles
    .filter((role) => own !== 'main' || role !== 'user')
    .map((value) => ({ value, label: t(`providers.role.${value}`) }));
  const change = (index: number, part: Partial<RuleDraft>) =>
    onRules(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)));
  return (
    <fieldset className="rules">
      <legend>{t('providers.form.rules')}</legend>
      <p className="dim">{t('providers.form.rulesHint')}</p>
      {rules.map((rule, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- rules have no identity but their place
        <div key={index} className="rules__row">
          <TextInput
            label={t('providers.form.claim')}
            maxLength={100}
            autoComplete="off"
            value={rule.claim}
            onChange={(event) => change(index, { claim: event.currentTarget.value })}
          />
          <TextInput
            label={t('providers.form.value')}
            maxLength={300}
            autoComplete="off"
            value={rule.value}
            onChange={(event) => change(index, { value: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('providers.form.role')}
            data={roles}
            value={rule.role}
            onChange={(event) => change(index, { role: event.currentTarget.value as RuleDraft['role'] })}
          />
          {own !== 'main' && (
            <TextInput
              label={t('providers.form.sees')}
              placeholder={t('providers.form.seesAll')}
              maxLength={2000}
              autoComplete="off"
              value={rule.sees}
              onChange={(event) => change(index, { sees: event.currentTarget.value })}
            />
          )}
          <ActionIcon
            aria-label={t('providers.form.removeRule', { number: index + 1 })}
            title={t('providers.form.removeRule', { number: index + 1 })}
            onClick={() => onRules(rules.filter((_, at) => at !== index))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      {rules.length < calls.MOST_PROVIDER_RULES && (
        <div>
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => onRules([...rules, { claim: 'groups', value: '', role: own === 'main' ? 'admin' : 'user', sees: '' }])}
          >
            {t('providers.form.addRule')}
          </Button>
        </div>
      )}
      <NativeSelect
        label={t('providers.form.defaultRole')}
        description={t('providers.form.defaultRoleHint')}
        data={roles}
        value={defaultRole}
        onChange={(event) => onDefaultRole(event.currentTarget.value as RuleDraft['role'])}
      />
    </fieldset>
  );
}
