import { usagePlans } from '@highline/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { fileText } from '../../api/file-text.ts';
import { REFRESH_MS } from '../../api/useList.ts';
import { partsOf } from '../../ui/form/separated.ts';
import { numberOf } from '../../ui/number.ts';

export type Plan = usagePlans.UsagePlan;
export type PlanFields = usagePlans.PlanFields;
export type Preview = Awaited<ReturnType<typeof previewPlan>>;

export const GB = 1_000_000_000;

/** The form of a plan: numbers as they are typed. */
export interface PlanDraft {
  readonly name: string;
  readonly cycleDay: string;
  /** GB. */
  readonly allowance: string;
  readonly pool: 'own' | 'pool';
  readonly costPerGb: string;
  readonly currency: string;
  readonly appliesTo: PlanFields['appliesTo'];
  readonly carrier: string;
  /** Percent, separated by commas. */
  readonly shares: string;
  readonly action: PlanFields['action'];
  readonly command: string;
}

export const newPlan: PlanDraft = {
  name: '',
  cycleDay: '1',
  allowance: '5',
  pool: 'own',
  costPerGb: '',
  currency: '',
  appliesTo: 'chosen',
  carrier: '',
  shares: '80, 100',
  action: 'mail',
  command: '',
};

/** A few bytes are no power of ten. */
const exactly = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 9 });

export function draftOf(plan: PlanFields): PlanDraft {
  return {
    name: plan.name,
    cycleDay: String(plan.cycleDay),
    allowance: exactly.format(plan.allowance / GB),
    pool: plan.isPool ? 'pool' : 'own',
    costPerGb: plan.costPerGb === null ? '' : String(plan.costPerGb),
    currency: plan.currency,
    appliesTo: plan.appliesTo,
    carrier: plan.carrier,
    shares: plan.shares.join(', '),
    action: plan.action,
    command: plan.command ?? '',
  };
}

const typedNumber = (text: string) => numberOf(text) ?? Number.NaN;

/** The fields that a draft stands for; what was typed wrong is NaN. */
export function fieldsOf(draft: PlanDraft): PlanFields {
  return {
    name: draft.name.trim(),
    cycleDay: Number(draft.cycleDay),
    allowance: Math.round(typedNumber(draft.allowance) * GB),
    isPool: draft.pool === 'pool',
    costPerGb: draft.costPerGb.trim() === '' ? null : typedNumber(draft.costPerGb),
    currency: draft.currency.trim().toUpperCase(),
    appliesTo: draft.appliesTo,
    carrier: draft.carrier.trim(),
    shares: partsOf(draft.shares).map((share) => typedNumber(share.replace('%', ''))),
    action: draft.action,
    command: draft.action === 'command' && draft.command !== '' ? draft.command : null,
  };
}

/** Plans with their running cycle. */
export const plansQuery = queryOptions({
  queryKey: ['usage', 'plans'] as const,
  queryFn: async ({ signal }) => (await call(usagePlans.listPlans, { signal })).result,
  refetchInterval: REFRESH_MS,
  meta: { topics: ['usage'] },
});

/** Add a plan, or save a stored one. @param stored with the version that the changes are based on */
export async function savePlan(draft: PlanDraft, stored: Pick<Plan, 'id' | 'version'> | undefined): Promise<string> {
  const body = fieldsOf(draft);
  if (stored === undefined) return (await call(usagePlans.addPlan, { body })).result.id;
  const { id, version } = stored;
  return (await call(usagePlans.savePlan, { params: { plan: id }, body: { ...body, version } })).result.id;
}

export async function deletePlan({ id }: Plan): Promise<void> {
  await call(usagePlans.deletePlan, { params: { plan: id } });
}

/** Have days and cycles in a time zone. @returns from which day on; null = it applies already */
export async function setZone(zone: string) {
  return (await call(usagePlans.setZone, { body: { zone } })).result;
}

/** The ICCIDs of a file as text: a CSV or a text as it is, the column ICCID of a workbook, each cell a line with one blank between its groups. */
export async function readSims(file: File): Promise<string> {
  if (!file.name.toLowerCase().endsWith('.xlsx')) return fileText(file);
  return (await call(usagePlans.readFile, { body: {}, files: { file } })).result.iccids
    .map((cell) => cell.replaceAll(/[\s-]+/gu, ' '))
    .join('\n');
}

/** The numbers in the parts that one call takes. */
const batchesOf = (iccids: readonly string[]) =>
  Array.from({ length: Math.ceil(iccids.length / usagePlans.MOST_ASSIGNED) }, (_, part) =>
    iccids.slice(part * usagePlans.MOST_ASSIGNED, (part + 1) * usagePlans.MOST_ASSIGNED),
  );

/** Look for numbers that a spreadsheet has changed, and for doubtful ones; nothing is stored. */
export async function checkSims({ id }: Plan, iccids: readonly string[]) {
  const checked: { readonly damaged: string[]; readonly doubts: string[] } = { damaged: [], doubts: [] };
  for (const part of batchesOf(iccids)) {
    const { result } = await call(usagePlans.assignSims, { params: { plan: id }, body: { iccids: part, dryRun: true } });
    checked.damaged.push(...result.damaged);
    checked.doubts.push(...result.doubts);
  }
  return checked;
}

/** Choose a plan for SIMs, or take it from them. @returns how many */
export async function assignSims(
  { id }: Plan,
  iccids: readonly string[],
  choice: { readonly remove: boolean; readonly confirmed?: boolean },
): Promise<number> {
  let sims = 0;
  for (const part of batchesOf(iccids))
    sims += (await call(usagePlans.assignSims, { params: { plan: id }, body: { iccids: part, ...choice } })).result.sims;
  return sims;
}

/** What the plan would do now; nothing is sent. */
export async function previewPlan(draft: PlanDraft, plan: Plan | undefined) {
  return (await call(usagePlans.previewPlan, { body: { ...fieldsOf(draft), plan: plan?.id ?? null } })).result;
}
