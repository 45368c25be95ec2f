import {
  DOUBLE_VOLTAGE,
  type HealthPart,
  healthLimits,
  healthOf,
  healthParts,
  healthRating,
  healthRatings,
  healthWeights,
} from '@highline/contract';
import type { ReactNode } from 'react';
import { useTranslation } from '#i18n';
import { HealthScore } from '../../../entities/devices/cells.tsx';
import type { DeviceDetails } from '../../../entities/devices/device.api.ts';
import { Panel } from '../../../entities/devices/Panel.tsx';
import { formatDateTime, formatNumber } from '../../../ui/time/format.ts';
import { temperatureIn, type TemperatureUnit, useTemperatureUnit } from '../../../ui/units.ts';
import { useZone } from '../../../ui/time/zone.ts';

type Inputs = NonNullable<DeviceDetails['health_inputs']>;

const format = (value: number) => formatNumber(Number(value.toFixed(1)));

/** What was measured for a part, and its values of 100 and 0 points. */
function measuredOf(part: HealthPart, { rsrp, rssi, drops, temperature, voltage }: Inputs, temperatures: TemperatureUnit) {
  switch (part) {
    case 'signal':
      return rsrp === null
        ? { name: 'rssi', value: rssi, unit: ' dBm', limits: healthLimits.rssi }
        : { name: 'rsrp', value: rsrp, unit: ' dBm', limits: healthLimits.rsrp };
    case 'drops':
      return { name: 'drops', value: drops, unit: '', limits: healthLimits.drops };
    case 'temperature':
      return {
        name: 'temperature',
        value: temperature === null ? null : temperatureIn(temperatures, temperature),
        unit: ` ${temperatures}`,
        limits: {
          best: temperatureIn(temperatures, healthLimits.temperature.best),
          worst: temperatureIn(temperatures, healthLimits.temperature.worst),
        },
      };
    case 'voltage': {
      const factor = voltage !== null && voltage > DOUBLE_VOLTAGE ? 2 : 1;
      const { best, worst } = healthLimits.voltage;
      return { name: 'voltage', value: voltage, unit: ' V', limits: { best: best * factor, worst: worst * factor } };
    }
  }
}

const names = {
  rssi: 'devicePage.health.input.rssi',
  rsrp: 'devicePage.health.input.rsrp',
  drops: 'devicePage.health.input.drops',
  temperature: 'devicePage.health.input.temperature',
  voltage: 'devicePage.health.input.voltage',
} as const;

/** The inputs of the score with their points and weights. */
function Parts({ inputs }: { inputs: Inputs }): ReactNode {
  const { t } = useTranslation();
  const temperatures = useTemperatureUnit();
  const points = healthOf(inputs)?.parts;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
    <div className="device-table" tabIndex={0} role="group" aria-label={t('devicePage.health.parts')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('devicePage.health.column.input')}</th>
            <th scope="col">{t('devicePage.health.column.value')}</th>
            <th scope="col">{t('devicePage.health.column.range')}</th>
            <th scope="col">{t('devicePage.health.column.points')}</th>
            <th scope="col">{t('devicePage.health.column.weight')}</th>
          </tr>
        </thead>
        <tbody>
          {healthParts.map((part) => {
            const { name, value, unit, limits } = measuredOf(part, inputs, temperatures);
            return (
              <tr key={part}>
                <td>{t(names[name as keyof typeof names])}</td>
                <td className="num">{value === null ? t('devicePage.health.notMeasured') : `${format(value)}${unit}`}</td>
                <td className="num">
                  {format(limits.best)}
                  {unit} … {format(limits.worst)}
                  {unit}
                </td>
                <td className="num strong">{points?.[part] ?? '–'}</td>
                <td className="num">{healthWeights[part]}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The health of a device: its score, the formula and what it was computed from (DPG-03). */
export function HealthPanel({ device }: { device: DeviceDetails }): ReactNode {
  const { t } = useTranslation();
  const zone = useZone();
  const { health, health_inputs: inputs } = device;
  return (
    <Panel id="device-health" title={t('devicePage.health.title')}>
      {health === null || inputs === null ? (
        <p className="dim">{t('devicePage.health.none')}</p>
      ) : (
        <>
          <p className="health">
            <HealthScore score={health} /> {t(`devicePage.quality.${healthRating(health)}`)}{' '}
            <span className="dim">{t('devicePage.health.until', { time: formatDateTime(inputs.at, zone) })}</span>
          </p>
          <details>
            <summary>{t('devicePage.health.how')}</summary>
            <div className="health__how">
              <Parts inputs={inputs} />
              <p className="dim">{t('devicePage.health.formula', healthRatings)}</p>
            </div>
          </details>
        </>
      )}
    </Panel>
  );
}
