import { alerts, diagnosisKinds, isEmail, TEST_MINUTES } from '@highline/contract';
import { NativeSelect, TextInput, Textarea } from '../../ui/controls/TextInput.tsx';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { useAction } from '../../api/useAction.ts';
import { type EntityForm, type Faults, useEntityForm } from '../../api/useEntityForm.ts';
import { viewsQuery } from '../../api/views/views.api.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { Check } from '../../ui/Check.tsx';
import { confirmAction } from '../../ui/dialogs.ts';
import { toast } from '../../ui/toasts.ts';
import { useZone } from '../../ui/time/zone.ts';
import { zoneChoices } from '../../ui/time/zones.ts';
import { tagsQuery } from '../../entities/devices/devices.api.ts';
import { geofencesQuery } from '../../entities/geofences/geofence.api.ts';
import { TestMailButton } from '../notifications/index.ts';
import { groupChoices } from '../../entities/groups/group.api.ts';
import { useSession } from '../../api/session.ts';
import { ActionFields, actionFaults } from './ActionFields.tsx';
import { useTemperatureUnit } from '../../ui/units.ts';
import { spanText, units } from './alert.ts';
import { ChannelChoice } from './ChannelChoice.tsx';
import { HoursChoice } from './HoursChoice.tsx';
import { invalidOf } from './test-draft.ts';
import { TestFields } from './TestFields.tsx';
import { ReplayPanel } from './ReplayPanel.tsx';
import { deleteRule, type Rule, saveRule } from './alerts.api.ts';
import { informsBySeverity } from './people.api.ts';
import {
  addressesOf,
  draftOf,
  emptyDraft,
  hasNoTime,
  inputOf,
  namesNoOne,
  needsTime,
  numberOf,
  type RuleDraft,
  weekdays,
} from './rule-draft.ts';

type Form = EntityForm<RuleDraft>;

function faultsOf(draft: RuleDraft, t: TFunction): Faults<RuleDraft> {
  const { kind, operator, minutes, days } = draft;
  const [threshold, clear, time] = [numberOf(draft.threshold), numberOf(draft.clear), numberOf(minutes)];
  const isContradiction = operator === 'above' ? clear > threshold : clear < threshold;
  const isReading = kind === 'reading';
  const most = alerts.LONGEST_FOR_SECONDS / 60;
  const isTimeWrong = !hasNoTime(kind) && !(time >= (needsTime(kind) ? 1 : 0) && time <= most);
  const isDaysWrong =
    kind === 'subscription-ends' && !(Number.isInteger(numberOf(days)) && numberOf(days) >= 1 && numberOf(days) <= 365);
  return {
    threshold: isReading && Number.isNaN(threshold) ? t('alerts.form.number') : undefined,
    clear: !isReading || draft.clear.trim() === '' ? undefined : clearFault(clear, isContradiction, operator, t),
    megabytes:
      kind === 'data-use' &&
      !(Number.isInteger(numberOf(draft.megabytes)) && numberOf(draft.megabytes) >= 1 && numberOf(draft.megabytes) <= 1e8)
        ? t('alerts.form.megabytesRange')
        : undefined,
    minutes: isTimeWrong ? t('alerts.form.minutesRange') : undefined,
    days: isDaysWrong ? t('alerts.form.daysRange') : undefined,
    losses: kind === 'connection-lost' ? rangeFault(draft.losses, 2, 100, t) : undefined,
    lossMinutes: kind === 'connection-lost' ? rangeFault(draft.lossMinutes, 5, 120, t) : undefined,
    test: kind === 'test' && invalidOf(draft.test) !== undefined ? t('alerts.test.invalid') : undefined,
    slowerThan: kind === 'test' && draft.slowerThan.trim() !== '' ? rangeFault(draft.slowerThan, 1, 60_000, t) : undefined,
    ...peopleFaults(draft, t),
    ...actionFaults(draft, t),
    group: draft.scopeKind === 'group' && draft.group === '' ? t('alerts.form.choose') : undefined,
    tag: draft.scopeKind === 'tag' && draft.tag === '' ? t('alerts.form.choose') : undefined,
    view: viewFault(draft, t),
  };
}

function viewFault({ kind, scopeKind, view }: RuleDraft, t: TFunction): string | undefined {
  if (scopeKind !== 'view') return undefined;
  if (kind === 'test') return t('alerts.test.noView');
  return view === '' ? t('alerts.form.choose') : undefined;
}

function rangeFault(text: string, least: number, most: number, t: TFunction): string | undefined {
  const value = numberOf(text);
  return Number.isInteger(value) && value >= least && value <= most ? undefined : t('alerts.form.range', { least, most });
}

const MOST_MINUTES = 1_440;

function peopleFaults(draft: RuleDraft, t: TFunction): Faults<RuleDraft> {
  const { escalates } = draft;
  const minutes = numberOf(draft.afterMinutes);
  const isMinutes = Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES;
  return {
    mails: addressFault(addressesOf(draft.mails), t),
    afterMinutes: escalates && !isMinutes ? t('alerts.form.escalationRange') : undefined,
    escalationMails: escalates
      ? draft.escalationMails.trim() === '' && draft.escalationWebhooks.length === 0
        ? t('alerts.form.addressMissing')
        : addressFault(addressesOf(draft.escalationMails), t)
      : undefined,
  };
}

function addressFault(addresses: readonly string[], t: TFunction): string | undefined {
  const wrong = addresses.find((address) => !isEmail(address));
  if (wrong !== undefined) return t('alerts.form.noAddress', { text: wrong });
  return addresses.length > alerts.MOST_PEOPLE ? t('alerts.form.tooManyAddresses', { most: alerts.MOST_PEOPLE }) : undefined;
}

function clearFault(clear: number, isContradiction: boolean, operator: 'above' | 'below', t: TFunction): string | undefined {
  if (Number.isNaN(clear)) return t('alerts.form.number');
  return isContradiction ? t(`alerts.form.contradicts.${operator}`) : undefined;
}

/** The value that is compared, and how. */
function ReadingFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { reading, temperatures } = form.values;
  const unit = units[reading] === '°C' ? temperatures : units[reading];
  return (
    <>
      <div className="form__pair">
        <NativeSelect
          label={t('alerts.form.reading')}
          data={alerts.comparedReadings.map((reading) => ({ value: reading, label: t(`alerts.reading.${reading}`) }))}
          value={form.values.reading}
          onChange={(event) => form.set({ reading: event.currentTarget.value as alerts.ComparedReading })}
        />
        <NativeSelect
          label={t('alerts.form.operator')}
          data={(['above', 'below'] as const).map((operator) => ({ value: operator, label: t(`alerts.form.${operator}`) }))}
          value={form.values.operator}
          onChange={(event) => form.set({ operator: event.currentTarget.value as RuleDraft['operator'] })}
        />
      </div>
      <div className="form__pair">
        <TextInput label={t('alerts.form.threshold', { unit })} inputMode="decimal" maxLength={20} {...form.text('threshold')} />
        <TextInput
          label={t('alerts.form.clear', { unit })}
          description={t('alerts.form.clearHint')}
          // Below its field, which stays next to the other one.
          descriptionBelow
          inputMode="decimal"
          maxLength={20}
          {...form.text('clear')}
        />
      </div>
    </>
  );
}

/** The geofence that is crossed, and in which direction. */
function GeofenceFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { geofence, geofenceEvent } = form.values;
  const fences = useQuery(geofencesQuery()).data ?? [];
  const isGone = geofence !== '' && !fences.some(({ id }) => id === geofence);
  return (
    <div className="form__pair">
      <NativeSelect
        label={t('alerts.form.crossing')}
        data={(['left', 'entered'] as const).map((event) => ({ value: event, label: t(`alerts.form.crossings.${event}`) }))}
        value={geofenceEvent}
        onChange={(event) => form.set({ geofenceEvent: event.currentTarget.value as RuleDraft['geofenceEvent'] })}
      />
      <NativeSelect
        label={t('alerts.form.geofence')}
        description={t('alerts.form.geofenceHint')}
        data={[
          { value: '', label: t('alerts.form.anyGeofence') },
          ...fences.map(({ id: value, name: label }) => ({ value, label })),
          ...(isGone ? [{ value: geofence, label: t('alerts.rules.missing') }] : []),
        ]}
        {...form.text('geofence')}
      />
    </div>
  );
}

/** What the routers test, how often, and how slow is too slow (LIV-04). */
function RuleTestFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <TestFields {...form.field('test')} />
      <div className="form__pair">
        <NativeSelect
          label={t('alerts.test.every')}
          data={TEST_MINUTES.map((minutes) => ({ value: String(minutes), label: spanText(minutes * 60, t) }))}
          {...form.text('everyMinutes')}
        />
        {form.values.test.tool !== 'traceroute' && (
          <TextInput
            label={t('alerts.test.slowerThan')}
            description={t('alerts.test.slowerHint')}
            descriptionBelow
            inputMode="numeric"
            maxLength={5}
            {...form.text('slowerThan')}
          />
        )}
      </div>
      <p className="dim">{t('alerts.test.hint')}</p>
    </>
  );
}

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

/** All devices, or those of a group, with a tag, or of a shared view. */
function ScopeFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { kind, scopeKind, group, tag, view } = form.values;
  const groups = useQuery(groupChoices('')).data?.options ?? [];
  const tags = useQuery(tagsQuery()).data ?? [];
  const views = (useQuery(viewsQuery).data ?? []).filter(({ list, shared }) => list === 'devices' && shared);
  const kept = <Option extends { readonly value: string }>(options: readonly Option[], value: string) => [
    { value: '', label: t('alerts.form.choose') },
    ...options,
    ...(value === '' || options.some((option) => option.value === value) ? [] : [{ value, label: t('alerts.rules.missing') }]),
  ];
  const choices = {
    group: kept(
      groups.map(({ group: value, groupName: label }) => ({ value, label })),
      group,
    ),
    tag: kept(
      tags.map((value) => ({ value, label: value })),
      tag,
    ),
    view: kept(
      views.map(({ id: value, name: label }) => ({ value, label })),
      view,
    ),
  };
  return (
    <div className="form__pair">
      <NativeSelect
        label={t('alerts.form.devices')}
        data={(['all', 'group', 'tag', 'view'] as const)
          .filter((each) => each !== 'view' || kind !== 'test' || scopeKind === 'view')
          .map((each) => ({ value: each, label: t(`alerts.scope.${each}`) }))}
        value={scopeKind}
        onChange={(event) => form.set({ scopeKind: event.currentTarget.value as RuleDraft['scopeKind'] })}
      />
      {scopeKind !== 'all' && (
        <NativeSelect label={t(`alerts.form.of.${scopeKind}`)} data={choices[scopeKind]} {...form.text(scopeKind)} />
      )}
    </div>
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

/** Whom the rule informs, when not, and who follows when no one acknowledges (ALR-05). */
function PeopleFields({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation();
  const { email } = useSession();
  const { escalates, isQuiet, zone, mails, firstAdmin, ends } = form.values;
  return (
    <fieldset className="rule-part">
      <legend>{t('alerts.form.people')}</legend>
      <Textarea
        label={t('alerts.form.mails')}
        description={t('alerts.form.mailsHint')}
        rows={2}
        maxLength={4_000}
        {...form.text('mails')}
      />
      <div className="rule-channel">
        {!addressesOf(mails).includes(email) && (
          <ActionButton onClick={() => form.set({ mails: [mails.trim(), email].filter((part) => part !== '').join('\n') })}>
            {t('alerts.form.ownAddress')}
          </ActionButton>
        )}
        <TestMailButton />
      </div>
      <Check label={t('alerts.form.firstAdmin')} checked={firstAdmin} onChange={(checked) => form.set({ firstAdmin: checked })} />
      <Check label={t('alerts.form.ends')} checked={ends} onChange={(checked) => form.set({ ends: checked })} />
      <ChannelChoice
        label={t('alerts.form.webhooks')}
        chosen={form.values.webhooks}
        onChange={(webhooks) => form.set({ webhooks })}
      />
      <Check label={t('alerts.form.escalates')} checked={escalates} onChange={(checked) => form.set({ escalates: checked })} />
      {escalates && (
        <>
          <TextInput label={t('alerts.form.afterMinutes')} inputMode="numeric" maxLength={4} {...form.text('afterMinutes')} />
          <Textarea label={t('alerts.form.escalationMails')} rows={2} maxLength={4_000} {...form.text('escalationMails')} />
          <ChannelChoice
            label={t('alerts.form.escalationWebhooks')}
            chosen={form.values.escalationWebhooks}
            onChange={(escalationWebhooks) => form.set({ escalationWebhooks })}
          />
        </>
      )}
      <Check label={t('alerts.form.isQuiet')} checked={isQuiet} onChange={(checked) => form.set({ isQuiet: checked })} />
      {isQuiet && (
        <div className="form__pair">
          <TextInput type="time" label={t('alerts.form.quietFrom', { zone })} {...form.text('quietFrom')} />
          <TextInput type="time" label={t('alerts.form.quietUntil')} {...form.text('quietUntil')} />
        </div>
      )}
    </fieldset>
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
  const form = useEntityForm<RuleDraft, Rule>({
    stored: { values: rule === undefined ? emptyDraft(zone, temperatures) : draftOf(rule, zone, temperatures) },
    leave: 'free',
    required: { name: t('alerts.form.name') },
    validate: (draft) => faultsOf(draft, t),
    blocked: ({ isLimited, weekdays: days }) => (isLimited && days.length === 0 ? t('alerts.form.noDay') : undefined),
    fieldOf: ({ key, field }) => {
      if (key === 'alert.rule_name_taken') return 'name';
      if (key === 'command.not_found') return 'command';
      if (key === 'tool.target_not_allowed') return field === 'condition.test' ? 'test' : 'testWhenFired';
      return key === 'alert.scope_not_found' ? field?.replace(/^(scope|condition)\./u, '') : undefined;
    },
    save: async (draft) => {
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
      return isMeant && saveRule(inputOf(draft), rule);
    },
    done: t('alerts.rules.saved'),
    refresh: ['alerts'],
    onSaved: onClose,
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
        <TextInput label={t('alerts.form.megabytes')} inputMode="numeric" maxLength={9} {...form.text('megabytes')} />
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

function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const remove = useAction<void, boolean>({
    run: async () => {
      const question = { title: t('alerts.rules.delete'), text: t('alerts.rules.deleteQuestion', { name: rule.name }) };
      const means = t('alerts.rules.deleteMeans');
      const isSure = await confirmAction({
        ...question,
        means,
        yes: t('alerts.rules.delete'),
        no: t('ui.cancel'),
        effect: 'permanent',
      });
      if (isSure) await deleteRule(rule);
      return isSure;
    },
    onDone: (isDone) => {
      if (!isDone) return;
      toast(t('ui.done.deleted'));
      onClose();
    },
  });
  return (
    <div>
      <ActionButton color="danger" loading={remove.busy} onClick={() => remove.run()}>
        {t('alerts.rules.delete')}
      </ActionButton>
    </div>
  );
}
