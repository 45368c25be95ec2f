import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { testTools, type TestDraft } from './test-draft.ts';

interface TestFieldsProps {
  readonly value: TestDraft;
  readonly error: string | undefined;
  readonly onChange: (value: TestDraft) => void;
}

/** A test that routers run for a rule (LIV-04). */
export function TestFields({ value, error, onChange }: TestFieldsProps): ReactNode {
  const { t } = useTranslation();
  const text = (field: 'host' | 'server', label: string) => (
    <TextInput
      label={label}
      value={value[field]}
      maxLength={253}
      autoComplete="off"
      spellCheck={false}
      error={field === 'host' && error}
      onChange={({ currentTarget: { value: typed } }) => onChange({ ...value, [field]: typed })}
    />
  );
  return (
    <div className="form__pair">
      <NativeSelect
        label={t('alerts.test.tool')}
        data={testTools.map((tool) => ({ value: tool, label: t(`alerts.test.tools.${tool}`) }))}
        value={value.tool}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange({ ...value, tool: testTools.find((tool) => tool === chosen) ?? 'ping' })
        }
      />
      {text('host', t('alerts.test.host'))}
      {value.tool === 'dns' && text('server', t('alerts.test.server'))}
    </div>
  );
}
