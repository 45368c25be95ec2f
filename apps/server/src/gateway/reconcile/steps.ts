import type { ObjectSettings, UspErrorBody, UspResponse } from '@highline/usp';
import type { RouterReports } from '../../domains/notifications/index.ts';
import type { Presence } from '../../domains/presence/index.ts';
import type { Telemetry } from '../../domains/telemetry/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import {
  BULK_DATA,
  choosePrimary,
  findEuicc,
  CONTROLLERS,
  IMAGE_SIGNATURE,
  IN_FORCE_PATHS,
  INFO,
  LOCAL_TIME,
  MEASURED_PATHS,
  PROFILES,
  READ_PATHS,
  readAlarms,
  readMeasured,
  readReported,
  readSkew,
  SIM_PATHS,
  type Answers,
} from '../mapping/index.ts';
import type { Session } from '../session.ts';
import {
  canReport,
  jsonSettings,
  planBulkData,
  PROFILE_NAME,
  profileSettings,
  RETAINED_REPORTS,
  type BulkDataPlan,
} from './bulk-data.ts';
import { readAll } from './questions.ts';
import { setting, wish } from './settings-of.ts';
import { planSubscriptions } from './subscriptions.ts';
import type { Abilities, SupportedModels } from './supported-models.ts';

export interface ReconcileDeps {
  readonly presence: Presence;
  readonly reports: RouterReports;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly log: Log;
  readonly models: SupportedModels;
  readonly controllerId: string;
  readonly telemetrySeconds: number;
  readonly heartbeatSeconds: number;
  /** What the router told is committed. */
  readonly ready: (routerId: string) => void;
}

/** Versions of USP that our messages are understood in. */
const PROTOCOL_VERSIONS = '1.0,1.1,1.2,1.3,1.4';

/**
 * Bring a router that just connected and us up to date with each other: what it is goes into its row, and what we want to hear
 * becomes its subscriptions and its telemetry profile. Done at EVERY connect, since a factory reset wipes them; asks for nothing
 * that is there already. What an agent lacks or refuses costs only itself.
 * @throws NoAnswer
 */
export async function reconcile(deps: ReconcileDeps, session: Session): Promise<void> {
  await session.ask<'get_supported_protocol'>({
    type: 'get_supported_protocol',
    controllerSupportedProtocolVersions: PROTOCOL_VERSIONS,
  });
  const asked = deps.clock.now().getTime();
  const answers = await readAll(session, READ_PATHS);
  const answered = deps.clock.now();
  const kept = takeValues(deps, session, answers, readSkew(answers.get(LOCAL_TIME), asked, answered.getTime()), answered);
  const model = answers.get(`${INFO}ModelName`) ?? answers.get(`${INFO}ProductClass`) ?? '';
  const firmware = answers.get(`${INFO}SoftwareVersion`) ?? '';
  const abilities = await deps.models.find(session, model, firmware, findEuicc(answers) !== 0);
  takeAbilities(deps, session, answers, abilities, kept);
  const controller = findController(answers, deps.controllerId);
  await subscribe(deps, session, answers, controller);
  await beat(deps, session, answers, controller);
  if (canReport(answers)) await report(deps, session, answers, abilities.hasBattery);
  session.isPolled = !canReport(answers);
}

/**
 * Ask a router that has no bulk data for what it measures; its heartbeat gives the time.
 * @throws NoAnswer
 */
export async function measure({ telemetry, clock }: ReconcileDeps, session: Session): Promise<void> {
  const answers = await readAll(session, MEASURED_PATHS);
  const samples = readMeasured(answers.entries(), session.primary.modem, clock.now().getTime());
  session.rssi = samples.find(({ parameter }) => parameter === 'rssi')?.value;
  await telemetry.write(session.router.routerId, samples);
}

/**
 * Ask a router what it runs now. Resolves when its answer is committed.
 * @throws NoAnswer
 */
export async function readInForce(
  { presence, clock }: Pick<ReconcileDeps, 'presence' | 'clock'>,
  session: Session,
): Promise<void> {
  const answers = await readAll(session, IN_FORCE_PATHS);
  await presence.told(session.router.routerId, readReported(answers, session.primary, clock.now()));
}

/**
 * Ask a router how its SIMs are: their numbers, the network, and the profiles of an eUICC. Resolves when its answer is committed.
 * @throws NoAnswer
 */
export async function readSims({ presence, clock }: Pick<ReconcileDeps, 'presence' | 'clock'>, session: Session): Promise<void> {
  const answers = await readAll(session, SIM_PATHS);
  session.primary = choosePrimary(answers);
  await presence.told(session.router.routerId, readReported(answers, session.primary, clock.now()));
}

/** Its own word on signatures counts beside what its kind can do. */
function takeAbilities(
  { presence, log, ready }: ReconcileDeps,
  { router: { routerId, serial } }: Session,
  answers: Answers,
  { firmware, bootable, config, esim }: Abilities,
  kept: Promise<void>,
): void {
  const ota = { firmware, bootable, config, signature: answers.get(IMAGE_SIGNATURE) === 'required' };
  Promise.all([kept, presence.told(routerId, { ota, esim_support: esim })]).then(
    () => ready(routerId),
    (error: unknown) => log.warn({ err: error, serial }, 'What a router can do could not be kept.'),
  );
}

/** What it told goes its way; nobody here waits until it is committed. */
function takeValues(
  { presence, reports, telemetry, log }: ReconcileDeps,
  session: Session,
  answers: Answers,
  skew: number | undefined,
  now: Date,
): Promise<void> {
  const { routerId, serial } = session.router;
  session.primary = choosePrimary(answers);
  session.clockSkewMs = skew ?? session.clockSkewMs;
  const failed = (error: unknown) => log.warn({ err: error, serial }, 'What a router told could not be kept.');
  const kept = presence.told(routerId, readReported(answers, session.primary, now), skew).catch(failed);
  const samples = readMeasured(answers.entries(), session.primary.modem, now.getTime());
  session.rssi = samples.find(({ parameter }) => parameter === 'rssi')?.value;
  telemetry.write(routerId, samples).catch(failed);
  for (const alarm of readAlarms(answers, session.primary)) reports.told(routerId, alarm).catch(failed);
  const told = answers.get(`${INFO}SerialNumber`);
  if (told === undefined || told === serial) return kept;
  // It proved by its secret which router it is; what it says of itself never makes it another one.
  log.warn({ serial, told: told.slice(0, 60) }, 'A router tells another serial number than the inventory has.');
  presence.happened(routerId, 'cloned', 'serial-mismatch').catch(failed);
  return kept;
}

function findController(answers: Answers, controllerId: string): string | undefined {
  return answers
    .instances(CONTROLLERS)
    .map((instance) => `${CONTROLLERS}${instance}.`)
    .find((path) => answers.get(`${path}EndpointID`) === controllerId);
}

async function subscribe(deps: ReconcileDeps, session: Session, answers: Answers, controller: string | undefined): Promise<void> {
  const plan = planSubscriptions(answers, controller);
  if (plan === undefined) return;
  if (plan.remove.length > 0) await remove(deps, session, plan.remove);
  if (plan.enable.length > 0)
    await change(
      deps,
      session,
      plan.enable.map((objPath) => ({ objPath, paramSettings: [setting('Enable', 'true')] })),
    );
  if (plan.add.length > 0) await add(deps, session, plan.add);
}

/** The heartbeat: Periodic! at our interval. */
async function beat(deps: ReconcileDeps, session: Session, answers: Answers, controller: string | undefined): Promise<void> {
  const seconds = String(deps.heartbeatSeconds);
  const held = controller === undefined ? undefined : answers.get(`${controller}PeriodicNotifInterval`);
  if (controller === undefined || held === undefined || held === seconds) return;
  await change(deps, session, [{ objPath: controller, paramSettings: [setting('PeriodicNotifInterval', seconds)] }]);
}

async function report(deps: ReconcileDeps, session: Session, answers: Answers, hasBattery: boolean): Promise<void> {
  const plan = planBulkData(answers, deps.telemetrySeconds, hasBattery);
  if (plan.switchOn) await change(deps, session, [{ objPath: BULK_DATA, paramSettings: [setting('Enable', 'true')] }]);
  if (plan.profile === undefined) await makeProfile(deps, session, plan);
  else await mendProfile(deps, session, plan, plan.profile);
}

/** Switched on only when it is whole: what is cut off half-way is found by its name and mended at the next connect. */
async function makeProfile(deps: ReconcileDeps, session: Session, plan: BulkDataPlan): Promise<void> {
  if (plan.addReferences.length === 0) return;
  const paramSettings = [
    setting('Name', PROFILE_NAME),
    ...Array.from(profileSettings(plan.interval), ([name, value]) => setting(name, value)),
    wish('NumberOfRetainedFailedReports', String(RETAINED_REPORTS)),
  ];
  const [profile] = await add(deps, session, [{ objPath: PROFILES, paramSettings }]);
  if (profile === undefined) return;
  const made = { ...plan, profile, change: new Map([...jsonSettings, ['Enable', 'true']]) };
  await mendProfile(deps, session, made, profile);
}

async function mendProfile(deps: ReconcileDeps, session: Session, plan: BulkDataPlan, profile: string): Promise<void> {
  if (plan.removeParameters.length > 0) await remove(deps, session, plan.removeParameters);
  const parameters = plan.addReferences.map((reference) => ({
    objPath: `${profile}Parameter.`,
    paramSettings: [setting('Reference', reference)],
  }));
  if (parameters.length > 0) await add(deps, session, parameters);
  const settings = profileChanges(profile, plan.change);
  if (settings.length > 0) await change(deps, session, settings);
}

/** Parameters of the profile and of its JSON part, each under the object that it belongs to; Enable comes last. */
function profileChanges(profile: string, changes: ReadonlyMap<string, string>): ObjectSettings[] {
  const byObject = Map.groupBy(changes, ([name]) => profile + name.slice(0, name.lastIndexOf('.') + 1));
  const objects = Array.from(byObject, ([objPath, entries]) => ({
    objPath,
    paramSettings: entries.map(([name, value]) => setting(name.slice(name.lastIndexOf('.') + 1), value)),
  }));
  return objects.sort((a, b) => b.objPath.length - a.objPath.length);
}

/** @returns paths of what was made, in their order */
async function add(deps: ReconcileDeps, session: Session, createObjs: readonly ObjectSettings[]): Promise<string[]> {
  const answer = await session.ask<'add'>({ type: 'add', allowPartial: true, createObjs: [...createObjs] });
  noteRefusals(deps, session, answer);
  if (answer.type === 'error') return [];
  return answer.createdObjResults.flatMap(({ operStatus }) =>
    operStatus.type === 'oper_success' ? [operStatus.instantiatedPath] : [],
  );
}

async function change(deps: ReconcileDeps, session: Session, updateObjs: readonly ObjectSettings[]): Promise<void> {
  noteRefusals(deps, session, await session.ask<'set'>({ type: 'set', allowPartial: true, updateObjs: [...updateObjs] }));
}

async function remove(deps: ReconcileDeps, session: Session, objPaths: readonly string[]): Promise<void> {
  noteRefusals(deps, session, await session.ask<'delete'>({ type: 'delete', allowPartial: true, objPaths: [...objPaths] }));
}

/** An agent may refuse what it lacks; it is said once, for whoever wonders why a router is silent about something. */
function noteRefusals({ log }: ReconcileDeps, session: Session, answer: UspResponse | UspErrorBody): void {
  const refusals = refusalsOf(answer);
  if (refusals.length > 0)
    log.info({ serial: session.router.serial, refusals: refusals.slice(0, 5) }, 'A router refused a part of its set-up.');
}

function refusalsOf(answer: UspResponse | UspErrorBody): string[] {
  if (answer.type === 'error') return [`${answer.errCode} ${answer.errMsg}`.slice(0, 200)];
  const results =
    answer.type === 'add_resp'
      ? answer.createdObjResults
      : answer.type === 'set_resp'
        ? answer.updatedObjResults
        : answer.type === 'delete_resp'
          ? answer.deletedObjResults
          : [];
  return results.flatMap(({ requestedPath, operStatus }) =>
    operStatus.type === 'oper_failure' ? [`${requestedPath} ${operStatus.errCode} ${operStatus.errMsg}`.slice(0, 200)] : [],
  );
}
