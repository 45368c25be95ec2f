import { alerts, diagnosisKinds } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useSession } from '../../api/session.ts';
import { useEntityForm } from '../../api/useEntityForm.ts';
import { Check } from '../../ui/Check.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { useZone } from '../../ui/time/zone.ts';
import { zoneChoices } from '../../ui/time/zones.ts';
import { useTemperatureUnit } from '../../ui/units.ts';
import { ActionFields } from './ActionFields.tsx';
import { DeleteRule } from './DeleteRule.tsx';
import { HoursChoice } from './HoursChoice.tsx';
import { ReplayPanel } from './ReplayPanel.tsx';
import { ReadingFields, GeofenceFields, RuleTestFields } from './RuleConditionFields.tsx';
import { PeopleFields } from './RulePeopleFields.tsx';
import { ScopeFields, type Form } from './RuleScopeFields.tsx';
import { type Rule, rulesQuery, saveRule } from './alerts.api.ts';
import { informsBySeverity } from './people.api.ts';
import { inputOf } from './rule-input.ts';
import { emptyDraft, type RuleDraft, weekdays } from './empty-draft.ts';
import { draftOf, hasNoTime, namesNoOne, needsTime } from './rule-draft.ts';
import { faultsOf } from './rule-faults.ts';

/** The time zone of active and quiet hours. */
function ZoneField({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const own = useZone();
  const { zone } = form.values;
  const offered = zoneChoices.map((choice) => ({ value: choice.zone, label: choice.label }));
  const others = [...new Set([zone, own, 'UTC'])].filter((each) => !offered.some(({ value }) => value === each));
  return (
    <NativeSelect
      label={t('alerts.form.zone')}
      data={[...others.map((value) => ({ value, label: value })), ...offered]}
      {...form.text('zone')}
    />
  );
}

/** The hours of the week in which alerts fire. */
function HoursFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { isLimited, weekdays: chosen, from, until, zone } = form.values;
  return (
    <>
      <Check label={t('alerts.form.onlyHours')} checked={isLimited} onChange={(checked) => form.set({ isLimited: checked })} />
      {isLimited && (
        <HoursChoice
          value={{ days: chosen.map((day) => weekdays.indexOf(day)), from, until, zone }}
          onChange={(hours) =>
            form.set({ weekdays: weekdays.filter((_, day) => hours.days.includes(day)), from: hours.from, until: hours.until })
          }
        />
      )}
    </>
  );
}

interface RuleDialogProps {
  readonly rule: Rule | undefined;
  /** Of the hours of a new rule. */
  readonly zone: string;
  readonly onClose: () => void;
}

/** What a rule looks for, on which devices, when, and how severe it is (ALR-01). */
export function RuleDialog({ rule, zone, onClose }: RuleDialogProps): ReactNode {
  const { t } = useTranslation();
  const temperatures = useTemperatureUnit();
  const { email } = useSession();
  const actsFor = rule?.actsFor ?? email;
  const storedOf = (current: Rule) => ({ values: draftOf(current, zone, temperatures), etag: String(current.version) });
  const form = useEntityForm<RuleDraft, Rule>({
    stored: rule === undefined ? { values: emptyDraft(zone, temperatures) } : storedOf(rule),
    leave: 'free',
    savesUnchanged: actsFor !== email,
    required: { name: t('alerts.form.name') },
    validate: (draft) => faultsOf(draft, t),
    blocked: ({ isLimited, weekdays: days }) => (isLimited && days.length === 0 ? t('alerts.form.noDay') : undefined),
    fieldOf: ({ key, field }) => {
      if (key === 'alert.rule_name_taken') return 'name';
      if (key === 'command.not_found') return 'command';
      if (key === 'tool.target_not_allowed') return field === 'condition.test' ? 'test' : 'testWhenFired';
      return key === 'alert.scope_not_found' ? field?.replace(/^(scope|condition)\./u, '') : undefined;
    },
    save: async (draft, { etag = '' }) => {
      // A rule may watch silently, but no one should find out by a missing mail.
      const isSilent = draft.enabled && namesNoOne(draft) && !(await informsBySeverity(draft.severity));
      const isMeant =
        !isSilent ||
        (await confirmAction({
          title: t('alerts.form.silent'),
          text: t('alerts.form.silentText'),
          means: t('alerts.form.silentMeans'),
          yes: t('alerts.form.silentSave'),
          no: t('ui.cancel'),
          effect: 'ordinary',
        }));
      return isMeant && saveRule(inputOf(draft), rule && { id: rule.id, version: etag });
    },
    done: t('alerts.rules.saved'),
    refresh: ['alerts'],
    onSaved: onClose,
    stale: async (_error, client) => {
      const rules = await client.fetchQuery({ ...rulesQuery, staleTime: 0 });
      const current = rules.find(({ id }) => id === rule?.id);
      return current && { ...storedOf(current), text: t('ui.form.stale', { name: current.name }) };
    },
  });
  const { kind } = form.values;
  return (
    <EntityDialog
      form={form}
      title={rule === undefined ? t('alerts.rules.addTitle') : t('alerts.rules.edit', { name: rule.name })}
      submit={t('ui.save')}
      onClose={onClose}
      wide
    >
      <div className="form__pair">
        <TextInput maxLength={alerts.LONGEST_RULE_NAME} autoComplete="off" {...form.text('name')} />
        <NativeSelect
          label={t('alerts.column.severity')}
          data={alerts.severities.map((severity) => ({ value: severity, label: t(`alerts.severity.${severity}`) }))}
          value={form.values.severity}
          onChange={(event) => form.set({ severity: event.currentTarget.value as alerts.Severity })}
        />
      </div>
      <NativeSelect
        label={t('alerts.form.condition')}
        data={alerts.conditionKinds.map((each) => ({ value: each, label: t(`alerts.kind.${each}`) }))}
        value={kind}
        onChange={(event) => form.set({ kind: event.currentTarget.value as alerts.ConditionKind })}
      />
      {kind === 'reading' && <ReadingFields form={form} />}
      {kind === 'geofence' && <GeofenceFields form={form} />}
      {kind === 'data-use' && (
        <TextInput label={t('alerts.form.megabytes')} inputMode="numeric" maxLength={11} {...form.text('megabytes')} />
      )}
      {kind === 'subscription-ends' && (
        <TextInput label={t('alerts.form.days')} inputMode="numeric" maxLength={3} {...form.text('days')} />
      )}
      {kind === 'rollout-failed' && (
        <Check label={t('alerts.form.orPaused')} checked={form.values.orPaused} onChange={(orPaused) => form.set({ orPaused })} />
      )}
      {kind === 'connection-lost' && (
        <div className="form__pair">
          <TextInput label={t('alerts.form.losses')} inputMode="numeric" maxLength={3} {...form.text('losses')} />
          <TextInput label={t('alerts.form.lossMinutes')} inputMode="numeric" maxLength={3} {...form.text('lossMinutes')} />
        </div>
      )}
      {kind === 'test' && <RuleTestFields form={form} />}
      {kind === 'diagnosis' && (
        <NativeSelect
          label={t('alerts.form.diagnosis')}
          data={[
            { value: '', label: t('devices.filter.anyDiagnosis') },
            ...diagnosisKinds.map((found) => ({ value: found, label: t(`devices.diagnosis.${found}`) })),
          ]}
          {...form.text('diagnosis')}
        />
      )}
      {!hasNoTime(kind) && (
        <TextInput
          label={t('alerts.form.minutes')}
          description={needsTime(kind) ? undefined : t('alerts.form.minutesHint')}
          inputMode="decimal"
          maxLength={8}
          {...form.text('minutes')}
        />
      )}
      <ScopeFields form={form} />
      <HoursFields form={form} />
      {(form.values.isLimited || form.values.isQuiet) && <ZoneField form={form} />}
      <ReplayPanel draft={form.values} faults={faultsOf(form.values, t)} />
      <PeopleFields form={form} />
      <ActionFields form={form} />
      <Check label={t('alerts.form.enabled')} checked={form.values.enabled} onChange={(enabled) => form.set({ enabled })} />
      {rule !== undefined && <DeleteRule rule={rule} onClose={onClose} />}
    </EntityDialog>
  );
}
