import { Button } from '../../../ui/controls/Button.tsx';
import { rollouts } from '@highline/contract';
import { TextInput, Textarea } from '../../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from '#i18n';
import { useShowError } from '../../../api/useAction.ts';
import { DraftOffer } from '../../../ui/form/DraftOffer.tsx';
import '../../../ui/form/form.css';
import { TagsField } from '../../../ui/form/TagsField.tsx';
import { FormFoot } from '../../../ui/form/FormFoot.tsx';
import { SaveButton } from '../../../ui/form/SaveButton.tsx';
import { formatNumber } from '../../../ui/time/format.ts';
import { useHasPassed } from '../../../ui/time/now.ts';
import { useZone } from '../../../ui/time/zone.ts';
import { isDefaultGroup } from '../group.ts';
import { rolloutsQuery } from '../rollout/rollouts.api.ts';
import { safetyLimitFault, limits } from './SafetyLimitFields.tsx';
import { DevicesDialog, DevicesField } from './DevicesField.tsx';
import { FileSelect } from './FileSelect.tsx';
import './group-form.css';
import { ImpactNote, useImpact } from './ImpactNote.tsx';
import { FirstEffect } from './FirstEffect.tsx';
import { useFirstWave } from './FirstWaveField.tsx';
import { isWaveHours, rolloutInput, sharePresets, windowFault, windowRanges } from './rollout-draft.ts';
import { WindowEffect } from './WindowEffect.tsx';
import { windowTexts } from './WindowFields.tsx';
import { RolloutOptions } from './RolloutOptions.tsx';
import { isReportInterval, ReportIntervalField, useReportIntervalFault } from './ReportIntervalField.tsx';
import { ScheduleFields } from './ScheduleFields.tsx';
import { useConfirmedSave } from './useConfirmedSave.ts';
import type { useGroupForm } from './useGroupForm.ts';
import { changedFiles, hasFile } from './values.ts';

type Form = ReturnType<typeof useGroupForm>;

/** The files that saving binds: each begins a rollout. */
function boundKinds({ base, values }: Form) {
  return changedFiles(base.values, values).filter((kind) => values[kind].pk !== '');
}

/** The options of the rollout that a save begins, and why it cannot be saved with them. */
function useRolloutInput(form: Form) {
  const { t } = useTranslation();
  const { values, group } = form;
  const { rollout } = values;
  const { first, problem } = useFirstWave(group, rollout);
  const zone = useZone();
  const present = useQuery({ ...rolloutsQuery(group ?? ''), enabled: group !== undefined }).data ?? [];
  const isBinding = boundKinds(form).length > 0;
  if (!isBinding) return {};
  if (rollout.rule === 'hours' && !isWaveHours(rollout.hours))
    return { problem: t('rolloutOptions.goOn.hoursRange', { most: formatNumber(rollouts.MAX_WAVE_HOURS) }) };
  // An empty number is that of the rollout before.
  const hasWaves = rollout.first !== 'count' || values.canaries !== 0 || sharePresets[rollout.shares].length > 0;
  if (rollout.rule !== 'success' && !hasWaves) return { problem: t('rolloutOptions.goOn.needsFirst') };
  const fault = windowFault(rollout.window);
  if (fault === 'needed' || fault === 'noDay') return { problem: t(`rolloutOptions.window.${fault}`) };
  if (fault !== undefined) {
    const [least, most] = windowRanges[fault];
    return {
      problem: t('rolloutOptions.window.range', { field: t(`rolloutOptions.window.${windowTexts[fault]}`), least, most }),
    };
  }
  const before = { waves: present.some(({ waves }) => waves !== null), window: present.some(({ window }) => window !== null) };
  return { input: rolloutInput(rollout, first, zone, before), problem };
}

/** Why it cannot be saved yet; undefined when it can. */
export function useProblems(form: Form) {
  const { t } = useTranslation();
  const { base, values } = form;
  const intervalFault = useReportIntervalFault();
  const rollout = useRolloutInput(form);
  const impact = useImpact(form.group, base.values, values, rollout.input);
  const otherModels = impact.requested ? (impact.firmware?.otherModels ?? []) : [];
  const binding = changedFiles(base.values, values).includes('firmware');
  const changed = values.postpone === base.values.postpone ? null : values.postpone;
  const past = useHasPassed(changed === null ? null : changed * 1000);
  const wrongModel =
    otherModels.length === 0 || !binding
      ? undefined
      : t('groups.impact.otherModels', {
          count: impact.firmware?.ofOtherModel ?? 0,
          shown: formatNumber(impact.firmware?.ofOtherModel ?? 0),
          routers: formatNumber(impact.firmware?.routers ?? 0),
          model: values.firmware.model ?? values.firmware.name,
          models: otherModels.join(', '),
        });
  const nameless = values.name.trim() === '' ? t('groups.form.nameNeeded') : undefined;
  const invalidLimit =
    boundKinds(form).length === 0
      ? undefined
      : (['failureThreshold', 'canaries'] as const).find((safetyLimit) => safetyLimitFault(safetyLimit, values[safetyLimit]));
  const [least, most] = invalidLimit === undefined ? [] : limits[invalidLimit];
  const safetyLimit = invalidLimit === undefined ? undefined : t('groups.form.safetyLimitProblem', { least, most });
  const dateless = values.postponed && values.postpone === null;
  const time = dateless
    ? t('ui.form.required', { field: t('groups.form.postponeDay') })
    : past
      ? t('groups.form.past')
      : undefined;
  const interval = isReportInterval(values.reportSeconds) ? undefined : intervalFault;
  const reason = nameless ?? wrongModel ?? time ?? safetyLimit ?? rollout.problem ?? interval;
  return { impact, past, wrongModel, rollout: rollout.input, reason };
}

export interface GroupFormProps {
  readonly form: Form;
  readonly problems: ReturnType<typeof useProblems>;
  readonly number: number | undefined;
  readonly deviceCount: number;
  readonly models?: readonly string[] | undefined;
  /** @param confirmed `confirmation` of the effects that the user has seen */
  readonly onDelete: (confirmed: string) => void;
}

/** Number, name, description, devices, firmware, config and schedule of a group (GRP-06 … 08). */
export function GroupForm({ form, problems, number, deviceCount, models, onDelete }: GroupFormProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { base, values, set, draft, ref } = form;
  const known = [...new Set([...(models ?? []), ...values.moves.add.flatMap(({ model }) => model ?? [])])];
  const fixedName = form.group !== undefined && isDefaultGroup(form.group);
  const kinds = boundKinds(form);
  const save = useConfirmedSave(form, problems.impact, problems.rollout);
  const showError = useShowError();
  const [confirming, setConfirming] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!form.dirty || form.saving || confirming || problems.reason !== undefined) return;
    setConfirming(true);
    void save()
      .catch(showError)
      .finally(() => setConfirming(false));
  };
  const foot = <GroupActions form={form} problems={problems} />;
  const effect = <ImpactNote base={base.values} now={values} impact={problems.impact} />;
  const schedule = (
    <ScheduleFields
      schedule={values.schedule}
      locked={!hasFile(values)}
      postponed={values.postponed}
      value={values.postpone}
      past={problems.past}
      onSchedule={(next) => set({ schedule: next })}
      onPostponed={(postponed) => set({ postponed })}
      onChange={(postpone) => set({ postpone })}
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
            <DevicesField group={form.group} deviceCount={deviceCount} moves={values.moves} onOpen={() => setOpen(true)} />
            <FileSelect
              kind="firmware"
              label={t('groups.form.firmware')}
              chosen={values.firmware}
              models={known}
              error={problems.wrongModel}
              onChoose={(firmware) => set({ firmware })}
            />
            <FileSelect
              kind="config"
              label={t('groups.form.config')}
              chosen={values.config}
              onChoose={(config) => set({ config })}
            />
            {kinds.length === 0 && <FormFoot effect={effect}>{foot}</FormFoot>}
          </div>
        </section>
        <section className="card panel rollout-plan" aria-label={t('rolloutOptions.title')}>
          <div className="rollout-plan__columns" data-binding={kinds.length > 0 || undefined}>
            <div className="form">
              {schedule}
              {kinds.length > 0 && <RolloutOptions group={form.group} kinds={kinds} values={values} onChange={set} />}
            </div>
            {kinds.length > 0 && (
              <div className="rollout-plan__effect">
                <h2>{t('rolloutOptions.effect')}</h2>
                {effect}
                <FirstEffect first={problems.impact.first} rollout={values.rollout} />
                <WindowEffect
                  impact={problems.impact.window}
                  isLocal={values.rollout.window.hasHours && values.rollout.window.isLocal}
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
          onMoves={(moves) => set({ moves })}
          onDelete={onDelete}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Cancel, back to the list, and Save. */
function GroupActions({ form, problems }: Pick<GroupFormProps, 'form' | 'problems'>): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => void navigate({ to: '/groups/list', search: {} })}>{t('ui.cancel')}</Button>
      <SaveButton
        dirty={form.dirty}
        saving={form.saving}
        // After a change, missing input is reported before 'nothing changed'.
        reason={form.dirty ? problems.reason : undefined}
      />
    </>
  );
}
