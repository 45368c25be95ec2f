import type { coverage } from '@highline/contract';
import { identifierCell, safeCell, type ListColumns } from '../../platform/csv/index.ts';
import { medianOf, rsrpBins, rsrqBins } from './bins.ts';
import { decimal, isSuspect, type VehicleRow } from './covered-vehicles.queries.ts';
import { countsOf, minutesOf, type DeadZoneRow } from './coverage.queries.ts';
import { centerOf } from './hexagons.ts';

const text = (value: number | null) => (value === null ? '' : value.toFixed(1));

/** The columns of coverage_dead_zones. */
export const zoneColumns: ListColumns<(typeof coverage.deadZoneColumns)[number], DeadZoneRow> = {
  rank: ['Rank', '排名', (row) => String(row.rank), 'number'],
  cell: ['Area (H3)', '區域（H3）', (row) => identifierCell(row.cell)],
  latitude: ['Latitude', '緯度', (row) => centerOf(row.cell).latitude.toFixed(5), 'number'],
  longitude: ['Longitude', '經度', (row) => centerOf(row.cell).longitude.toFixed(5), 'number'],
  minutes: ['Minutes lost', '中斷分鐘數', (row) => text(minutesOf(row.lost)), 'number'],
  drops: ['Lost connections', '斷線次數', (row) => String(row.drops), 'number'],
  samples: ['Samples', '樣本數', (row) => String(row.samples), 'number'],
  rsrp: ['Median RSRP (dBm)', 'RSRP 中位數（dBm）', (row) => text(medianOf(rsrpBins, countsOf(row, rsrpBins))), 'number'],
  rsrq: ['Median RSRQ (dB)', 'RSRQ 中位數（dB）', (row) => text(medianOf(rsrqBins, countsOf(row, rsrqBins))), 'number'],
};

/** The columns of coverage_vehicles. */
export const vehicleColumns: ListColumns<(typeof coverage.coverageVehicleColumns)[number], VehicleRow> = {
  name: ['Vehicle', '車輛', (row) => identifierCell(row.name)],
  serial: ['Serial number', '序號', (row) => identifierCell(row.serial)],
  org: ['Organization', '組織', (row) => safeCell(row.org_name)],
  rsrp: ['RSRP difference (dB)', 'RSRP 差異（dB）', (row) => text(decimal(row.rsrp)), 'number'],
  rsrq: ['RSRQ difference (dB)', 'RSRQ 差異（dB）', (row) => text(decimal(row.rsrq)), 'number'],
  samples: ['Samples compared', '比較的樣本數', (row) => String(row.samples), 'number'],
  cells: ['Areas compared', '比較的區域數', (row) => String(row.cells), 'number'],
  suspect: ['Antenna probably broken', '天線可能故障', (row) => (isSuspect(row) ? ['yes', '是'] : ['no', '否'])],
};
