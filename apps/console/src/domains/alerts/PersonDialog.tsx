import { alertPeople, alerts, isEmail, tidyEmail } from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { useSession } from '../../api/session.ts';
import { EntityDialog } from '../../api/EntityForm.tsx';
import { readDetail, useEntityForm } from '../../api/useEntityForm.ts';
import { Check } from '../../ui/Check.tsx';
import { TextInput } from '../../ui/controls/TextInput.tsx';
import { useLanguage } from '../../ui/language.ts';
import { useZone } from '../../ui/time/zone.ts';
import { HoursChoice } from './HoursChoice.tsx';
import { NEW, type Person, type PersonInput, savePerson } from './people.api.ts';

interface PersonDialogProps {
  /** Left out: an address that is typed. */
  readonly person?: Person | undefined;
  readonly onClose: () => void;
}

type Draft = Pick<PersonInput, 'mail' | 'severities' | 'hours' | 'channels'>;

const empty: Draft = { mail: '', severities: ['critical'], hours: null, channels: ['mail'] };

const storedOf = ({ mail, severities, hours, channels, version }: Person) => ({
  values: { mail, severities, hours, channels: channels.length === 0 ? ['mail' as const] : channels },
  etag: version,
});

/** Which alerts an address gets, at which hours and how (SAY-05). */
export function PersonDialog({ person, onClose }: PersonDialogProps): ReactNode {
  const { t } = useTranslation();
  const [language, zone] = [useLanguage(), useZone()];
  const { email } = useSession();
  const form = useEntityForm<Draft, Person>({
    stored: person === undefined ? { values: empty, etag: NEW } : storedOf(person),
    stale: readDetail((current: Person) => ({
      ...storedOf(current),
      text:
        person === undefined
          ? t('alerts.people.exists', { mail: current.mail })
          : t('ui.form.stale', { name: current.name || current.mail }),
    })),
    leave: 'free',
    required: { mail: t('alerts.people.column.mail') },
    validate: ({ mail }) => (isEmail(mail) ? {} : { mail: t('alerts.form.noAddress', { text: mail }) }),
    blocked: ({ severities, channels, hours }) => {
      if (severities.length > 0 && channels.length === 0) return t('alerts.people.noChannel');
      return hours !== null && hours.days.length === 0 ? t('alerts.form.noDay') : undefined;
    },
    normalize: (draft) => ({
      ...draft,
      mail: tidyEmail(draft.mail),
      severities: alerts.severities.filter((each) => draft.severities.includes(each)),
      channels: alertPeople.personChannels.filter((each) => draft.channels.includes(each)),
    }),
    save: (draft, base) => {
      // Of another address that is typed nothing has been shown.
      const isKnown = draft.mail === base.values.mail;
      // Of another person's entry only that person chooses them.
      const locale = isKnown && draft.mail !== email ? {} : { language, zone: draft.hours?.zone ?? zone };
      return savePerson({ ...draft, ...locale }, (isKnown ? base.etag : undefined) ?? NEW);
    },
    done: t('alerts.people.saved'),
    refresh: ['alerts'],
    onSaved: onClose,
  });
  const { severities, channels, hours } = form.values;
  const usualHours: alerts.Hours = { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', zone };
  return (
    <EntityDialog
      form={form}
      title={person === undefined ? t('alerts.people.add') : t('alerts.people.edit', { name: person.name || person.mail })}
      submit={t('ui.save')}
      onClose={onClose}
    >
      {person === undefined && <TextInput maxLength={254} autoComplete="off" inputMode="email" {...form.text('mail')} />}
      <fieldset className="rule-part">
        <legend>{t('alerts.people.severities')}</legend>
        <div className="rule-days">
          {alerts.severities.map((severity) => (
            <Check
              key={severity}
              label={t(`alerts.severity.${severity}`)}
              checked={severities.includes(severity)}
              onChange={(on) =>
                form.set({ severities: on ? [...severities, severity] : severities.filter((each) => each !== severity) })
              }
            />
          ))}
        </div>
        <p className="dim">{t('alerts.people.severitiesHint')}</p>
      </fieldset>
      <fieldset className="rule-part">
        <legend>{t('alerts.people.channels')}</legend>
        {alertPeople.personChannels.map((channel) => (
          <Check
            key={channel}
            label={t(`alerts.people.channel.${channel}`)}
            checked={channels.includes(channel)}
            onChange={(on) => form.set({ channels: on ? [...channels, channel] : channels.filter((each) => each !== channel) })}
          />
        ))}
        {channels.includes('push') && (person?.browsers ?? 0) === 0 && <p className="dim">{t('alerts.people.noBrowser')}</p>}
      </fieldset>
      <Check
        label={t('alerts.people.onlyHours')}
        checked={hours !== null}
        onChange={(on) => form.set({ hours: on ? usualHours : null })}
      />
      {hours !== null && <HoursChoice value={hours} onChange={(next) => form.set({ hours: next })} />}
    </EntityDialog>
  );
}
