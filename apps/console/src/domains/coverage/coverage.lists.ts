import { coverage } from '@highline/contract';
import { listSpec } from '../../ui/list/spec.ts';

/** What every view of the coverage has in the address: the view, the period in days, the network, the chosen hexagon, and where the map begins. */
const filters = {
  tab: ['zones', 'vehicles'],
  days: ['7', '90'],
  carrier: 'text',
  technology: 'text',
  cell: 'text',
  at: 'text',
} as const;
const keeps = ['tab', 'cell', 'at'] as const;

/** /coverage (POS-06). */
export const coverageList = listSpec({
  id: 'coverage',
  defaultSize: 10,
  sorts: ['minutes', 'drops', ...coverage.coverageVehicleSorts],
  fields: coverage.coverageVehicleFields,
  filters,
  keeps,
});

export const zoneList = listSpec({
  id: 'coverage-zones',
  defaultSize: 10,
  sorts: ['minutes', 'drops'],
  fields: [],
  filters,
  keeps,
});

export const vehicleList = listSpec({
  id: 'coverage-vehicles',
  defaultSize: 10,
  sorts: coverage.coverageVehicleSorts,
  fields: coverage.coverageVehicleFields,
  filters,
  keeps,
});
