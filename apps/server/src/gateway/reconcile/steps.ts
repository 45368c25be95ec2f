import type { RouterReports } from '../../domains/notifications/index.ts';
import type { Presence } from '../../domains/presence/index.ts';
import type { Telemetry } from '../../domains/telemetry/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import {
  choosePrimary,
  findEuicc,
  CONTROLLERS,
  IMAGE_SIGNATURE,
  IN_FORCE_PATHS,
  INFO,
  LOCAL_TIME,
  MEASURED_PATHS,
  READ_PATHS,
  readAlarms,
  readMeasured,
  readReported,
  readSkew,
  SIM_PATHS,
  VEHICLE,
  type Answers,
} from '../mapping/index.ts';
import type { Session } from '../session.ts';
import { readAll } from './questions.ts';
import type { ReconnectSettings } from './reconnect.ts';
import { setUp, type SetUp } from './set-up.ts';
import { planSubscriptions, type SubscriptionPlan } from './subscriptions.ts';
import type { Abilities, SupportedModels } from './supported-models.ts';

export interface ReconcileDeps {
  readonly presence: Presence;
  readonly reports: RouterReports;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly log: Log;
  readonly models: SupportedModels;
  readonly reconnect: ReconnectSettings;
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
 * @returns whether everything could be set up
 * @throws NoAnswer
 */
export async function reconcile(deps: ReconcileDeps, session: Session): Promise<boolean> {
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
  const plan = planSubscriptions(answers, controller);
  await noteReset(deps, session, plan);
  await deps.reconnect.apply(session, answers, controller);
  const done = await setUp(session, deps, { answers, controller, plan, hasBattery: abilities.hasBattery });
  takeSetUp(deps, session, done);
  session.polledPaths = done.isPushing ? undefined : measuredPaths(abilities.hasBattery);
  return done.faults.length === 0;
}

function measuredPaths(hasBattery: boolean): readonly string[] {
  return hasBattery ? [...MEASURED_PATHS, `${VEHICLE}BatteryCharge`] : MEASURED_PATHS;
}

/**
 * Read what a router measures, where it does not report that by itself.
 * @returns how many values are stored
 * @throws NoAnswer
 */
export async function measure(
  { telemetry, clock }: Pick<ReconcileDeps, 'telemetry' | 'clock'>,
  session: Session,
  paths: readonly string[] = MEASURED_PATHS,
): Promise<number> {
  const answers = await readAll(session, paths);
  const samples = readMeasured(answers.entries(), session.primary.modem, clock.now().getTime());
  session.rssi = samples.find(({ parameter }) => parameter === 'rssi')?.value;
  await telemetry.write(session.router.routerId, samples);
  return samples.length;
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

/**
 * A router that had our subscriptions and has none of them now was set back to factory state: they are wiped with everything else, so
 * that no Boot! says so.
 */
async function noteReset(
  { presence, reports, clock }: ReconcileDeps,
  session: Session,
  plan: SubscriptionPlan | undefined,
): Promise<void> {
  // Once per connection: a reset ends it.
  const isFirst = !session.isSubscriptionsKnown;
  if (plan === undefined) return;
  session.isSubscriptionsKnown = true;
  const { routerId } = session.router;
  if (!isFirst || plan.found > 0 || !(await presence.wasSubscribed(routerId))) return;
  await reports.lostSubscriptions(routerId, clock.now());
  await presence.told(routerId, { subscribed: false });
}

/** How far the set-up came, for the page of the device. */
function takeSetUp({ presence, log }: ReconcileDeps, session: Session, { faults, isPushing, isSubscribed }: SetUp): void {
  const { routerId, serial } = session.router;
  if (faults.length > 0) log.info({ serial, faults: faults.slice(0, 5) }, 'A router refused a part of its set-up.');
  const told = { set_up: { polled: !isPushing, count: faults.length, faults }, subscribed: isSubscribed };
  presence
    .told(routerId, told)
    .catch((error: unknown) => log.warn({ err: error, serial }, 'The set-up of a router could not be stored.'));
}
