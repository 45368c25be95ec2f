import { tools } from '@highline/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useRoleFor } from '../../api/session.ts';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { NativeSelect, Textarea } from '../../ui/controls/TextInput.tsx';
import { saveTargets, type StoredToolTargets, targetsQuery, type ToolTargets } from './tools.api.ts';
import { partsOf } from '../../ui/form/separated.ts';

const choices = ['any', 'public', 'listed'] as const satisfies readonly ToolTargets['allow'][];

interface TargetsDraft {
  readonly allow: string;
  /** One network per line. */
  readonly ranges: string;
}

/** Which addresses the routers of the organization may test, in one line; an admin changes it (LIV-04). */
export function TargetsLine({ org }: { org: string }): ReactNode {
  const { t } = useTranslation();
  const isAdmin = useRoleFor('tools') === 'admin';
  const [isOpen, setOpen] = useState(false);
  const targets = useQuery(targetsQuery(org)).data;
  if (targets === undefined) return null;
  return (
    <div className="tool-targets">
      <span className="dim">
        {t(`tools.targets.is.${targets.allow}`)}
        {targets.allow === 'listed' && ` ${targets.ranges.join(', ')}`}
      </span>
      {isAdmin && <ActionButton onClick={() => setOpen(true)}>{t('tools.targets.change')}</ActionButton>}
      {isOpen && <TargetsDialog targets={targets} onClose={() => setOpen(false)} />}
    </div>
  );
}

const storedOf = ({ allow, ranges, version }: StoredToolTargets) => ({
  values: { allow, ranges: ranges.join('\n') },
  etag: `"${version}"`,
});

function TargetsDialog({ targets, onClose }: { targets: StoredToolTargets; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<TargetsDraft, ToolTargets>({
    stored: storedOf(targets),
    stale: readDetail((current: StoredToolTargets) => ({
      ...storedOf(current),
      text: t('ui.form.stale', { name: t('tools.targets.title') }),
    })),
    leave: 'free',
    validate: ({ allow, ranges }) => {
      if (allow !== 'listed') return {};
      const count = partsOf(ranges).length;
      return {
        ranges: count === 0 || count > tools.MOST_RANGES ? t('tools.targets.count', { most: tools.MOST_RANGES }) : undefined,
      };
    },
    fieldOf: ({ field }) => field,
    save: ({ allow, ranges }, { etag }) =>
      saveTargets(
        { allow: choices.find((each) => each === allow) ?? 'any', ranges: allow === 'listed' ? partsOf(ranges) : [] },
        etag,
      ),
    done: t('tools.targets.saved'),
    refresh: ['tools'],
    onSaved: onClose,
  });
  return (
    <EntityDialog form={form} title={t('tools.targets.title')} submit={t('ui.save')} onClose={onClose}>
      <NativeSelect
        label={t('tools.targets.allow')}
        data={choices.map((value) => ({ value, label: t(`tools.targets.choice.${value}`) }))}
        {...form.text('allow')}
      />
      {form.values.allow === 'listed' && (
        <Textarea label={t('tools.targets.ranges')} rows={5} maxLength={3_000} spellCheck={false} {...form.text('ranges')} />
      )}
      <p className="dim">{t('tools.targets.hint')}</p>
    </EntityDialog>
  );
}
