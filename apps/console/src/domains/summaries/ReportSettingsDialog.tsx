import { summaries } from '@highline/contract';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useAction } from '../../api/useAction.ts';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { IconButton } from '../../ui/ActionButton.tsx';
import { Button } from '../../ui/controls/Button.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { FilePick } from '../../ui/form/FilePick.tsx';
import { numberOf } from '../../ui/number.ts';
import { toast } from '../../ui/toasts.ts';
import { deleteLogo, saveLogo, saveReportSettings, settingsQuery, type ReportSettings } from './summaries.api.ts';

interface CarrierDraft {
  readonly carrier: string;
  readonly target: string;
}

/** What a person types: numbers are text. */
interface Draft {
  readonly target: string;
  readonly filesDays: string;
  readonly carriers: readonly CarrierDraft[];
}

/** A share in percent; undefined = it is none. */
const percentOf = (text: string): number | undefined => {
  const value = numberOf(text);
  return value !== undefined && value >= 0 && value <= 100 ? value : undefined;
};
const isDays = (text: string) => {
  const days = Number(text);
  return Number.isInteger(days) && days >= summaries.LEAST_FILES_DAYS && days <= summaries.MOST_FILES_DAYS;
};

export interface ReportSettingsDialogProps {
  readonly settings: ReportSettings;
  readonly onClose: () => void;
}

/** What all reports of the organization have in common: target, logo, how long files are kept (RPM-02, RPM-05). */
export function ReportSettingsDialog({ settings, onClose }: ReportSettingsDialogProps): ReactNode {
  const { t } = useTranslation();
  const form = useEntityForm<Draft, ReportSettings>({
    stored: storedOf(settings),
    leave: 'free',
    normalize: (draft) => ({
      ...draft,
      target: draft.target.trim(),
      carriers: draft.carriers.map(({ carrier, target }) => ({ carrier: carrier.trim(), target: target.trim() })),
    }),
    required: {},
    validate: ({ target, filesDays, carriers }) => ({
      ...(target !== '' && percentOf(target) === undefined && { target: t('summaries.settings.percent') }),
      ...(!isDays(filesDays) && { filesDays: t('summaries.settings.daysHint') }),
      ...(carriers.some((each) => each.carrier === '' || percentOf(each.target) === undefined) && {
        carriers: t('summaries.settings.incomplete'),
      }),
    }),
    save: ({ target, filesDays, carriers }, { etag = '' }) =>
      saveReportSettings(etag, {
        target: percentOf(target) ?? null,
        filesDays: Number(filesDays),
        carrierTargets: carriers.map((each) => ({ carrier: each.carrier, target: percentOf(each.target) ?? 0 })),
      }),
    done: t('summaries.form.saved'),
    refresh: ['summaries', 'outages'],
    stale: async (_error, client) => {
      const current = await client.fetchQuery({ ...settingsQuery, staleTime: 0 });
      return { ...storedOf(current), text: t('summaries.settings.stale') };
    },
    onSaved: onClose,
  });
  const { carriers } = form.values;
  const setCarriers = (next: readonly CarrierDraft[]) => form.set({ carriers: next });
  const setCarrier = (at: number, part: Partial<CarrierDraft>) =>
    setCarriers(carriers.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <EntityDialog form={form} title={t('summaries.settings.title')} submit={t('summaries.form.submit')} onClose={onClose} wide>
      <TextInput
        label={t('summaries.settings.target')}
        description={t('summaries.settings.targetHint')}
        inputMode="decimal"
        maxLength={8}
        autoComplete="off"
        {...form.text('target')}
      />
      <div role="group" aria-label={t('summaries.settings.carriers')} className="summary-targets">
        {carriers.map(({ carrier, target }, at) => (
          <div key={at} className="summary-target">
            <TextInput
              label={t('summaries.carrier')}
              maxLength={100}
              autoComplete="off"
              value={carrier}
              onChange={(event) => setCarrier(at, { carrier: event.currentTarget.value })}
            />
            <TextInput
              label={t('summaries.settings.ofCarrier')}
              inputMode="decimal"
              maxLength={8}
              autoComplete="off"
              value={target}
              onChange={(event) => setCarrier(at, { target: event.currentTarget.value })}
            />
            <IconButton
              label={t('summaries.settings.removeCarrier', { carrier })}
              icon={<IconTrash size={16} />}
              onClick={() => setCarriers(carriers.filter((_, index) => index !== at))}
            />
          </div>
        ))}
        {form.field('carriers').error !== undefined && (
          <p className="bad" role="alert">
            {form.field('carriers').error}
          </p>
        )}
        {carriers.length < summaries.MOST_CARRIER_TARGETS && (
          <Button onClick={() => setCarriers([...carriers, { carrier: '', target: '' }])}>
            {t('summaries.settings.addCarrier')}
          </Button>
        )}
      </div>
      <TextInput
        label={t('summaries.settings.days')}
        description={t('summaries.settings.daysHint')}
        inputMode="numeric"
        maxLength={4}
        autoComplete="off"
        {...form.text('filesDays')}
      />
      <Logo hasLogo={settings.hasLogo} />
    </EntityDialog>
  );
}

/** The logo is saved by itself: a file is not part of what is typed. */
function Logo({ hasLogo }: { readonly hasLogo: boolean }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const finish = (text: string) => {
    setFile(undefined);
    toast(text);
    void client.invalidateQueries({ queryKey: ['summaries'] });
  };
  const save = useAction<File | undefined, ReportSettings>({
    run: (logo) => (logo === undefined ? deleteLogo() : saveLogo(logo)),
    onDone: ({ hasLogo: has }) => finish(t(has ? 'summaries.settings.logoSaved' : 'summaries.settings.logoRemoved')),
  });
  return (
    <div className="summary-targets">
      <FilePick
        label={t('summaries.settings.logo')}
        endings={['.png', '.jpg', '.jpeg']}
        wrongType={t('summaries.settings.logoHint')}
        file={file}
        onPick={setFile}
      />
      <p className="dim">{t('summaries.settings.logoHint')}</p>
      <div className="summary-actions">
        {file !== undefined && (
          <Button onClick={() => save.run(file)} loading={save.busy}>
            {t('summaries.settings.saveLogo')}
          </Button>
        )}
        {hasLogo && (
          <Button onClick={() => save.run(undefined)} loading={save.busy}>
            {t('summaries.settings.removeLogo')}
          </Button>
        )}
      </div>
    </div>
  );
}

const draftOf = ({ target, filesDays, carrierTargets }: ReportSettings): Draft => ({
  target: target === null ? '' : String(target),
  filesDays: String(filesDays),
  carriers: carrierTargets.map(({ carrier, target: agreed }) => ({ carrier, target: String(agreed) })),
});
const storedOf = (settings: ReportSettings) => ({ values: draftOf(settings), etag: settings.version });
