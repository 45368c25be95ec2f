import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useAction } from '../../../api/useAction.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { toast } from '../../../ui/toasts.ts';
import { draftOfLimit, type LimitDraft, LimitFields, limitOf } from '../../api-keys/index.ts';
import { saveLimit, type UserDetails } from '../users.api.ts';

const comparable = (draft: LimitDraft): string => {
  const limit = limitOf(draft);
  return JSON.stringify(limit && [limit.groups.toSorted(), limit.tags.toSorted()]);
};

export interface LimitCardProps {
  readonly user: UserDetails;
  /** The organization of the user, for a main account; left out = the own one. */
  readonly org?: string;
}

/** Which vehicles a user sees: all of the organization, or only those of groups and tags (IAM-04). */
export function LimitCard({ user, org }: LimitCardProps): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const stored = draftOfLimit(user.limitedTo);
  const [changed, setChanged] = useState<LimitDraft>();
  const draft = changed ?? stored;
  const save = useAction({
    run: (to: LimitDraft) => saveLimit(user.id, limitOf(to)),
    onDone: () => {
      void client.invalidateQueries({ queryKey: ['users'] }).then(() => setChanged(undefined));
      toast(t('users.limit.saved'));
    },
  });
  return (
    <section className="card panel panel--stack" aria-labelledby="limit">
      <h2 id="limit">{t('users.limit.title')}</h2>
      <LimitFields
        label={t('users.limit.label')}
        none={t('users.limit.none')}
        limit={draft}
        org={org}
        onChange={(change) => setChanged((before) => ({ ...(before ?? stored), ...change }))}
      />
      {draft.sees === 'some' && draft.groups.length + draft.tags.length > 0 && <p className="dim">{t('users.limit.hint')}</p>}
      <div className="form__actions">
        <Button
          variant="filled"
          loading={save.busy}
          disabled={comparable(draft) === comparable(stored)}
          onClick={() => save.run(draft)}
        >
          {t('users.limit.save')}
        </Button>
      </div>
    </section>
  );
}
