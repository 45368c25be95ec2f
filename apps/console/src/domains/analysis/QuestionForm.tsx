import { analysis, type QuestionFault, type QuestionField } from '@highline/contract';
import { Button } from '../../ui/controls/Button.tsx';
import { NativeSelect, TextInput } from '../../ui/controls/TextInput.tsx';
import { IconChartHistogram, IconChartLine, IconChartPie, IconMathAvg, IconRouter, IconSum } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '#i18n';
import '../../ui/form/form.css';
import { useZone } from '../../ui/time/zone.ts';
import { chartText, chartUnit, storedText, useTemperatureUnit } from '../../ui/units.ts';
import { comparedValue, DaysFields, DeviceField, GroupField, PropertyField, useProperties } from '../reports/index.ts';
import { windowsQuery } from './analysis.api.ts';
import type { Fields } from './address.ts';
import { composes } from '../../ui/composition.ts';
import '../reports/reports.css';

export interface QuestionFormProps {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
  readonly onDraw: (chartType: analysis.ChartType, fields: Fields) => void;
  /** The faults of the chart that was requested last. */
  readonly faults: readonly QuestionFault[];
  /** The days are no days. */
  readonly daysFault: boolean;
  /** Counts attempts, so that every rejected one focuses its first fault again. */
  readonly tries: number;
}

/** Fields that reports have too, under the names they have there. */
const names = { group: 'group', device: 'device', property: 'property', value: 'value', date: 'days' } as const;

/** The condition in the address; its default is left out. */
const compared = analysis.conditions.filter((condition) => condition !== 'appear');

/** The message of a fault at its field (part 2, section 8). */
function useFaultText(faults: readonly QuestionFault[]): (field: QuestionField) => string | undefined {
  const { t } = useTranslation();
  const textOf = ({ key, field }: QuestionFault): string => {
    switch (key) {
      case 'RequireErr':
        return t('ui.form.required', {
          field: field === 'condition' ? t('analysis.field.condition') : t(`reports.field.${names[field]}`),
        });
      case 'conditonErr':
        return t('ui.form.condition');
      case 'averageErr':
        return t('errors.analysis_average');
      case 'piechartErr':
        return t('errors.analysis_piechart');
      case 'runChartErr':
        return t('errors.analysis_run_chart');
      case 'runChartDateErr':
        return t('errors.analysis_run_chart_date');
    }
  };
  return (field) => {
    const found = faults.find((one) => one.field === field);
    return found === undefined ? undefined : textOf(found);
  };
}

/** The windows that suit the question's records (RPT-03). */
function WindowField({
  fields,
  stored,
  onChange,
}: Pick<QuestionFormProps, 'fields' | 'onChange'> & {
  /** Without what is still being typed. */
  readonly stored: Fields;
}): ReactNode {
  const { t } = useTranslation();
  const counted = useQuery(windowsQuery(stored, useZone())).data;
  const offered = analysis.windows.filter((window) => counted?.windows.includes(window) === true);
  const usual = analysis.windows.find((window) => window === counted?.window);
  const { window } = fields;
  return (
    <NativeSelect
      label={t('analysis.field.window')}
      value={window ?? ''}
      data={[
        {
          value: '',
          label:
            usual === undefined ? t('analysis.automatic') : t('analysis.automaticOf', { window: t(`analysis.window.${usual}`) }),
        },
        ...(window === undefined || offered.includes(window) ? offered : [...offered, window]).map((one) => ({
          value: one,
          label: t(`analysis.window.${one}`),
        })),
      ]}
      onChange={(event) => onChange({ ...fields, window: analysis.windows.find((one) => one === event.currentTarget.value) })}
    />
  );
}

const icons: Readonly<Record<analysis.ChartType, typeof IconRouter>> = {
  device: IconRouter,
  record: IconChartHistogram,
  average: IconMathAvg,
  sumarty: IconSum,
  piechart: IconChartPie,
  runChart: IconChartLine,
};

/** Draws one kind of chart; the line below describes the chart. */
function ChartButton({
  chartType,
  onDraw,
}: {
  chartType: analysis.ChartType;
  onDraw: (chartType: analysis.ChartType) => void;
}): ReactNode {
  const { t } = useTranslation();
  const help = useId();
  const Icon = icons[chartType];
  return (
    <div className="chart-kind">
      <Button
        variant="light"
        leftSection={<Icon size={16} aria-hidden />}
        aria-describedby={help}
        onClick={() => onDraw(chartType)}
      >
        {t(`analysis.type.${chartType}`)}
      </Button>
      <p id={help} className="chart-kind__help dim">
        {t(`analysis.help.${chartType}`)}
      </p>
    </div>
  );
}

/**
 * A text that is typed here, and is in the address once it is committed: an address that follows each key is late for the caret, and
 * for an input method that composes a character of several keys. The text follows the address when that changes otherwise.
 */
function useTyped(value: string, onCommit: (text: string) => void) {
  const [{ of, text, sent }, setTyped] = useState({ of: value, text: value, sent: value });
  if (of !== value) setTyped({ of: value, text: value === sent ? text : value, sent: value });
  const commit = () => {
    if (text === value) return;
    setTyped({ of, text, sent: text });
    onCommit(text);
  };
  return { text, type: (next: string) => setTyped({ of, text: next, sent }), commit };
}

const isLimit = (condition: Fields['condition']) => condition === 'more' || condition === 'less';

/** The units in which values are typed, which are those of charts; the address and calls have those of properties. */
function useUnits() {
  const properties = useProperties();
  const temperatures = useTemperatureUnit();
  const named = (property: string) => properties.find(({ property_id }) => property_id === property);
  const unitOf = (property: string) => named(property)?.unit ?? '';
  const canonical = (value: string, property: string) => comparedValue(named(property)?.property_type, value);
  return {
    canonical,
    shown: (property: string) => chartUnit(temperatures, unitOf(property)),
    shownUnit: (stored: string) => chartUnit(temperatures, stored),
    textOf: (stored: string, property: string) => chartText(temperatures, stored, unitOf(property)),
    // More and less have the very limit that was typed; the others have a reading as it is shown.
    stored: (text: string, { property = '', condition }: Fields) =>
      storedText(temperatures, canonical(text, property), unitOf(property), isLimit(condition) ? 2 : 1),
  };
}

/** The filters of Analysis and its six chart buttons (ANA-01), with faults at the fields (ANA-03). */
export function QuestionForm({ fields, onChange, onDraw, faults, daysFault, tries }: QuestionFormProps): ReactNode {
  const { t } = useTranslation();
  const form = useRef<HTMLDivElement>(null);
  const faultAt = useFaultText(faults);
  const { group = '', device = '', property = '', condition = 'appear', value = '' } = fields;
  const units = useUnits();
  const unit = units.shown(property);
  const typed = useTyped(units.textOf(value, property), (text) => onChange({ ...fields, value: units.stored(text, fields) }));
  // A tenth of °F is not always the number that is stored: what was not typed keeps its own.
  const isTyped = typed.text !== units.textOf(value, property);
  const stored = { ...fields, value: units.canonical(value, property) || undefined };
  const current = isTyped ? { ...fields, value: units.stored(typed.text, fields) || undefined } : stored;
  const set = (part: Partial<Fields>) => onChange({ ...current, ...part });
  useEffect(() => {
    if (tries > 0)
      form.current?.querySelector<HTMLElement>('[data-invalid], [aria-invalid="true"], [data-fault] button')?.focus();
  }, [tries]);
  return (
    <div ref={form} className="card panel report-form" role="group" aria-label={t('analysis.form')}>
      <div data-fault={daysFault || faultAt('date') !== undefined || undefined}>
        <DaysFields
          days={fields}
          error={daysFault ? t('reports.fault.days') : faultAt('date')}
          // Other days have other windows (RPT-03).
          onChange={({ day, from, until }) => set({ day, from, until, window: undefined })}
        />
      </div>
      <div className="report-form__fields question__fields">
        <GroupField
          required
          value={group}
          none={t('analysis.choose.group')}
          error={faultAt('group')}
          onChange={(next) => set({ group: next })}
        />
        <DeviceField
          value={device}
          group={group}
          none={t('reports.all.device')}
          error={faultAt('device')}
          onChange={(next) => set({ device: next })}
        />
        <PropertyField
          required
          value={property}
          none={t('analysis.choose.property')}
          shownUnit={units.shownUnit}
          error={faultAt('property')}
          // The number that was typed stays, in the unit of the new property.
          onChange={(next) => set({ property: next, value: units.stored(typed.text, { ...fields, property: next }) })}
        />
        <NativeSelect
          label={t('analysis.field.condition')}
          value={condition}
          error={faultAt('condition')}
          data={analysis.conditions.map((one) => ({ value: one, label: t(`analysis.condition.${one}`) }))}
          onChange={(event) => {
            const next = compared.find((one) => one === event.currentTarget.value);
            set({ condition: next, ...(!isLimit(next) && { value: units.stored(typed.text, { ...fields, condition: next }) }) });
          }}
        />
        <TextInput
          label={unit === '' ? t('reports.field.value') : t('reports.withUnit', { name: t('reports.field.value'), unit })}
          value={typed.text}
          error={faultAt('value')}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => typed.type(event.currentTarget.value)}
          onBlur={typed.commit}
          onKeyDown={({ key, nativeEvent }) => {
            if (key === 'Enter' && !composes(nativeEvent)) typed.commit();
          }}
        />
        <WindowField fields={current} stored={stored} onChange={onChange} />
      </div>
      <div className="question__charts" role="group" aria-label={t('analysis.draw')}>
        {analysis.chartTypes.map((chartType) => (
          <ChartButton key={chartType} chartType={chartType} onDraw={(kind) => onDraw(kind, current)} />
        ))}
      </div>
    </div>
  );
}
