import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../../api/session.ts';
import { useShowError } from '../../../api/useAction.ts';
import { useReason } from '../../../api/useNotAllowed.ts';
import { isPageOpen } from '../../../routing/page-rights.ts';
import { Button } from '../../../ui/controls/Button.tsx';
import { TextInput, Textarea } from '../../../ui/controls/TextInput.tsx';
import { DraftOffer } from '../../../ui/form/DraftOffer.tsx';
import { FormFoot } from '../../../ui/form/FormFoot.tsx';
import { SaveButton } from '../../../ui/form/SaveButton.tsx';
import { TagsField } from '../../../ui/form/TagsField.tsx';
import { lastSearch } from '../../../ui/list/last-search.ts';
import { formatNumber } from '../../../ui/time/format.ts';
import { isDefaultGroup } from '../group.ts';
import { DevicesDialog, DevicesField } from './DevicesField.tsx';
import { FileSelect } from './FileSelect.tsx';
import { FirstEffect } from './FirstEffect.tsx';
import { ImpactNote } from './ImpactNote.tsx';
import { ReportIntervalField } from './ReportIntervalField.tsx';
import { RolloutOptions } from './RolloutOptions.tsx';
import { ScheduleFields } from './ScheduleFields.tsx';
import { WindowEffect } from './WindowEffect.tsx';
import { useConfirmedSave } from './useConfirmedSave.ts';
import { useProblems, type Form, boundKinds } from './useProblems.ts';
import { hasFile } from './values.ts';
import '../../../ui/form/form.css';
import './group-form.css';

export interface GroupFormProps {
  readonly form: Form;
  readonly problems: ReturnType<typeof useProblems>;
  readonly number: number | undefined;
  readonly deviceCount: number;
  readonly models?: readonly string[] | undefined;
  /** @param confirmed `confirmation` of the effects that the user has seen */
  readonly onDelete: (confirmed: string) => void;
}

const filePages = { firmware: '/groups/firmwares', config: '/groups/config' } as const;

/** Why someone who may save a group may not choose its devices or files: an own role has rights of their own for these. */
function useNotChosen(notAllowed: string | undefined) {
  const { t } = useTranslation();
  const session = useSession();
  const reason = useReason();
  const schedule = notAllowed ?? reason('bindings.firmware');
  const ofFile = (kind: keyof typeof filePages) =>
    schedule ?? (isPageOpen(session, filePages[kind]) ? undefined : t('errors.permission_own_role'));
  return { devices: notAllowed ?? reason('devices.save'), firmware: ofFile('firmware'), config: ofFile('config'), schedule };
}

/** Number, name, description, devices, firmware, config and schedule of a group (GRP-06 … 08). */
export function GroupForm({ form, problems, number, deviceCount, models, onDelete }: GroupFormProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { base, values, set, draft, ref } = form;
  const known = [...new Set([...(models ?? []), ...values.moves.add.flatMap(({ model }) => model ?? [])])];
  const fixedName = form.group !== undefined && isDefaultGroup(form.group);
  const kinds = boundKinds(form);
  const save = useConfirmedSave(form, problems);
  const showError = useShowError();
  const notChosen = useNotChosen(problems.notAllowed);
  const [confirming, setConfirming] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.dirty || form.saving || confirming || problems.reason !== undefined) return;
    setConfirming(true);
    void save()
      .catch(showError)
      .finally(() => setConfirming(false));
  };
  const { before, kept } = problems.rollout;
  const { window } = values.rollout;
  const foot = <GroupActions form={form} problems={problems} saving={form.saving || confirming} />;
  const effect = <ImpactNote base={base.values} now={values} impact={problems.impact} />;
  const schedule = (
    <ScheduleFields
      schedule={values.schedule}
      locked={!hasFile(values)}
      notAllowed={notChosen.schedule}
      postponed={values.postponed}
      value={values.postpone}
      error={problems.past ? t('groups.form.past') : form.field('postpone').error}
      onSchedule={(next) => set({ schedule: next })}
      onPostponed={(postponed) => set({ postponed, postpone: null })}
      onChange={form.field('postpone').onChange}
    />
  );
  return (
    <>
      <form ref={ref} className="group-form" noValidate onSubmit={submit}>
        <section className="card panel group-form__group" aria-label={t('groups.form.panel')}>
          <div className="form">
            {draft !== undefined && <DraftOffer {...draft} />}
            <div className="group-form__names">
              <TextInput
                label={t('groups.form.number')}
                value={number === undefined ? '' : formatNumber(number)}
                readOnly
                className="group-form__number"
              />
              <TextInput
                maxLength={100}
                autoComplete="off"
                readOnly={fixedName}
                description={fixedName ? t('groups.form.defaultName') : undefined}
                onBlur={() => form.touch('name')}
                {...form.text('name')}
              />
            </div>
            <Textarea label={t('groups.form.description')} rows={2} maxLength={1000} {...form.text('description')} />
            <TagsField value={values.tags} description={t('groups.form.tagsHint')} onChange={(tags) => set({ tags })} />
            <ReportIntervalField value={values.reportSeconds} onChange={(reportSeconds) => set({ reportSeconds })} />
            <DevicesField
              group={form.group}
              deviceCount={deviceCount}
              moves={values.moves}
              notAllowed={notChosen.devices}
              onOpen={() => setOpen(true)}
            />
            <FileSelect
              kind="firmware"
              label={t('groups.form.firmware')}
              chosen={values.firmware}
              models={known}
              error={problems.wrongModel}
              notAllowed={notChosen.firmware}
              onChoose={(firmware) => set({ firmware })}
            />
            <FileSelect
              kind="config"
              label={t('groups.form.config')}
              chosen={values.config}
              notAllowed={notChosen.config}
              onChoose={(config) => set({ config })}
            />
            {kinds.length === 0 && <FormFoot effect={effect}>{foot}</FormFoot>}
          </div>
        </section>
        <section className="card panel rollout-plan" aria-label={t('rolloutOptions.title')}>
          <div className="rollout-plan__columns" data-binding={kinds.length > 0 || undefined}>
            <div className="form">
              {schedule}
              {kinds.length > 0 && (
                <RolloutOptions group={form.group} kinds={kinds} values={values} before={before} onChange={set} />
              )}
            </div>
            {kinds.length > 0 && (
              <div className="rollout-plan__effect">
                <h2>{t('rolloutOptions.effect')}</h2>
                {effect}
                <FirstEffect first={problems.impact.first} rollout={kept.waves ?? values.rollout} />
                <WindowEffect
                  impact={problems.impact.window}
                  isLocal={
                    kept.window
                      ? kept.window.hours !== undefined && kept.window.local === true
                      : window.hasHours && window.isLocal
                  }
                />
              </div>
            )}
          </div>
          {kinds.length > 0 && <FormFoot>{foot}</FormFoot>}
        </section>
      </form>
      {/* Outside the form element: its fields do not belong to the form. */}
      {open && (
        <DevicesDialog
          group={form.group}
          name={values.name}
          deviceCount={deviceCount}
          moves={values.moves}
          notAllowed={notChosen.devices}
          onMoves={(moves) => set({ moves })}
          onDelete={onDelete}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Cancel, back to the list, and Save. */
function GroupActions({ form, problems, saving }: Pick<GroupFormProps, 'form' | 'problems'> & { saving: boolean }): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => void navigate({ to: '/groups/list', search: lastSearch('/groups/list') })}>{t('ui.cancel')}</Button>
      <SaveButton
        dirty={form.dirty}
        saving={saving}
        // After a change, missing input is reported before 'nothing changed'.
        reason={form.dirty || form.values.postponed ? problems.reason : problems.notAllowed}
      />
    </>
  );
}
