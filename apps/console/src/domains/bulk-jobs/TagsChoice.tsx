import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../api/useAction.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TagsField } from '../../ui/form/TagsField.tsx';
import { tagsQuery } from '../../entities/devices/devices.api.ts';
import { type Job, startJob } from '../../entities/jobs/bulk-jobs.api.ts';
import type { ChoiceProps } from './choice.ts';
import { Effect } from '../../entities/jobs/Effect.tsx';
import { devicesText } from '../../entities/jobs/job.ts';

/** Adds tags to the chosen devices and removes tags from them (BLK-02). */
export function TagsChoice({ chosen, onClose, onStarted }: ChoiceProps): ReactNode {
  const { t } = useTranslation();
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const known = useQuery(tagsQuery(chosen.org)).data ?? [];
  const isEmpty = add.length + remove.length === 0;
  const isBoth = add.some((tag) => remove.includes(tag));
  const action = { kind: 'tags', add, remove } as const;
  const save = useAction<void, Job>({ run: () => startJob(chosen, action), onDone: onStarted });
  return (
    <FormDialog
      title={t('bulkJobs.tags.title', { devices: devicesText(t, chosen.count) })}
      submit={t('bulkJobs.tags.submit')}
      busy={save.busy}
      disabledReason={isEmpty ? t('bulkJobs.tags.missing') : isBoth ? t('bulkJobs.tags.both') : undefined}
      onClose={onClose}
      onSubmit={() => save.run()}
    >
      <TagsField label={t('bulkJobs.tags.add')} value={add} suggestions={known} onChange={setAdd} />
      <TagsField
        label={t('bulkJobs.tags.remove')}
        placeholder={t('ui.tags.choose')}
        value={remove}
        suggestions={known}
        onChange={setRemove}
      />
      <Effect chosen={chosen} action={isEmpty || isBoth ? undefined : action} />
    </FormDialog>
  );
}
