import { networks } from '@highline/contract';
import type { Rejections } from '../../../domains/inventory/index.ts';
import type { RouterAlarms } from '../../../domains/notifications/index.ts';
import type { PositionDocument, Positions } from '../../../domains/positions/index.ts';
import type { Usage } from '../../../domains/usage/index.ts';
import type { Ingest, PresenceService, ReportedPatch, TablesService, Telemetry } from '../../../domains/router-state/index.ts';
import type { Deps } from '../../../platform/ports/deps.ts';
import {
  BULK_DATA,
  CONTROLLERS,
  IMAGE_SIGNATURE,
  INFO,
  LOCAL_TIME,
  LOCATIONS,
  MODEMS,
  SIMS,
  SUBSCRIPTIONS,
  VEHICLE,
} from '../../../kernel/tr181.ts';
import { sanitizeLine } from '../../../kernel/sanitize-device-text.ts';
import type { Responses } from '../responses.ts';
import type { Session } from '../session.ts';
import { takeSignal } from '../signal.ts';
import { readAll } from './questions.ts';
import type { ReconnectSettings } from './reconnect.ts';
import type { ReportIntervals } from './report-intervals.ts';
import { setUp } from './set-up.ts';
import { planUspSubscriptions, type UspSubscriptionPlan } from './usp-subscriptions.ts';
import type { Abilities, SupportedModels } from './supported-models.ts';

export interface ReconcileDeps extends Pick<Deps, 'clock' | 'log'> {
  readonly presence: PresenceService;
  readonly rejections: Pick<Rejections, 'rejected'>;
  readonly reports: RouterAlarms;
  readonly telemetry: Telemetry;
  readonly tables: TablesService;
  readonly positions: Positions;
  readonly usage: Usage;
  readonly ingest: Ingest;
  readonly models: SupportedModels;
  readonly reconnect: ReconnectSettings;
  readonly controllerId: string;
  readonly intervals: ReportIntervals;
  readonly heartbeatSeconds: number;
  /** The reported values are committed. */
  readonly ready: (routerId: string) => void;
}

/** Paths read at every connect in addition to the router's state, all in one request. */
const SET_UP_PATHS: readonly string[] = [
  `${INFO}SerialNumber`,
  IMAGE_SIGNATURE,
  LOCAL_TIME,
  CONTROLLERS,
  SUBSCRIPTIONS,
  BULK_DATA,
];

/** After this many polls in a row without any value a router is not polled again on its connection. */
export const MOST_EMPTY_POLLS = 5;

/** Supported versions of USP. */
const PROTOCOL_VERSIONS = '1.0,1.1,1.2,1.3,1.4,1.5';

/**
 * Reconcile a router that just connected: store its state, and set up subscriptions and the telemetry profile. Runs at EVERY
 * connect, since a factory reset wipes them; writes only differences. What an agent lacks or rejects does not affect the rest.
 * @returns whether everything could be set up, and nothing was lacking that the router had before
 * @throws NoResponse
 */
export async function reconcile(deps: ReconcileDeps, session: Session): Promise<boolean> {
  await session.ask<'get_supported_protocol'>({
    type: 'get_supported_protocol',
    controllerSupportedProtocolVersions: PROTOCOL_VERSIONS,
  });
  const requestedAt = deps.clock.now().getTime();
  session.hasChanged = false;
  const responses = await readAll(session, [...SET_UP_PATHS, ...deps.ingest.statePaths]);
  const responded = deps.clock.now();
  const skew = deps.ingest.readSkew(responses.get(LOCAL_TIME), requestedAt, responded.getTime(), session.clockSkewMs);
  const stored = takeValues(deps, session, responses, skew, responded);
  const model = responses.get(`${INFO}ModelName`) ?? responses.get(`${INFO}ProductClass`) ?? '';
  const firmware = responses.get(`${INFO}SoftwareVersion`) ?? '';
  const { euicc } = session;
  const abilities = await deps.models.find(session, model, firmware, euicc.path !== undefined && euicc.path !== '');
  const known = takeAbilities(deps, session, responses, abilities, stored);
  const controller = findController(responses, deps.controllerId);
  const plan = planUspSubscriptions(deps.ingest, responses, controller);
  await noteReset(deps, session, plan);
  await deps.reconnect.apply(session, responses, controller);
  await deps.intervals.load(session);
  try {
    const done = await setUp(session, deps, {
      responses,
      controller,
      plan,
      readings: deps.ingest.readings,
      extensions: abilities,
    });
    session.polledPaths = done.isPushing ? undefined : measuredPaths(deps.ingest, abilities?.hasBattery === true);
    session.setUp = { polled: !done.isPushing, count: done.faults.length, faults: done.faults };
    reportSetUp(deps, session, done.isSubscribed);
    return done.faults.length === 0 && abilities !== undefined && !deps.ingest.isEuiccLacking(euicc);
  } finally {
    session.isSetUpTried = true;
    void reportReady(deps, session, known);
  }
}

/** Only now may others send commands: without its subscriptions a router does not report their ends. */
async function reportReady({ ready }: ReconcileDeps, { router }: Session, areStored: Promise<boolean>): Promise<void> {
  if (await areStored) ready(router.routerId);
}

/** Where a modem does not name its SIM, data used counts for the SIM that it uses. */
const SIM_NUMBERS = `${SIMS}*.ICCID`;

function measuredPaths({ readingPaths }: Ingest, hasBattery: boolean): readonly string[] {
  return [...readingPaths, LOCATIONS, ...(hasBattery ? [`${VEHICLE}BatteryCharge`] : [])];
}

/**
 * Read measured values from a router that does not report them itself.
 * @returns how many values are stored
 * @throws NoResponse
 */
export async function measure(
  { telemetry, positions, usage, ingest, clock }: Pick<ReconcileDeps, 'telemetry' | 'positions' | 'usage' | 'ingest' | 'clock'>,
  session: Session,
  paths: readonly string[] = ingest.readingPaths,
): Promise<number> {
  const responses = await readAll(session, [...paths, SIM_NUMBERS]);
  const now = clock.now().getTime();
  const values = [...responses.entries()];
  const samples = ingest.readMeasured(values, session.primary.modem, now);
  const isEmpty = values.every(([path]) => path.startsWith(SIMS));
  session.emptyPolls = isEmpty ? session.emptyPolls + 1 : 0;
  takeSignal(session, ingest, [{ values }]);
  const { routerId } = session.router;
  await Promise.all([
    telemetry.write(routerId, samples),
    positions.read(routerId, locationsOf({ positions, ingest }, session, responses)),
    usage.reported(routerId, [{ at: now, values }], session.primary),
  ]);
  return samples.length;
}

/**
 * Read the firmware and configuration a router runs now. Resolves when the result is committed.
 * @throws NoResponse
 */
export async function readActiveFiles(
  { presence, ingest, clock }: Pick<ReconcileDeps, 'presence' | 'ingest' | 'clock'>,
  session: Session,
): Promise<void> {
  const responses = await readAll(session, ingest.activeFilePaths);
  const reported = ingest.readReported(responses, session.primary, session.euicc, clock.now());
  await presence.recordReport(session.router.routerId, reported);
}

/**
 * Read the SIMs of a router: numbers, network, and profiles of an eUICC. Resolves when the result is committed.
 * @throws NoResponse
 */
export async function readSims(
  { presence, ingest, clock }: Pick<ReconcileDeps, 'presence' | 'ingest' | 'clock'>,
  session: Session,
): Promise<void> {
  const responses = await readAll(session, ingest.simPaths);
  await presence.recordReport(session.router.routerId, takeReported(ingest, session, responses, clock.now()));
}

/** The facts in a response with the modems and the SIMs; which of them is in use is kept for the reports that follow. */
function takeReported(ingest: Ingest, session: Session, responses: Responses, now: Date): ReportedPatch {
  session.primary = ingest.choosePrimary(responses);
  session.euicc = ingest.chooseEuicc(responses, session.euicc, now.getTime());
  return ingest.readReported(responses, session.primary, session.euicc, now);
}

/** More hosts, and as many stations, than fit into one answer with all their columns. */
const MANY_CLIENTS = 250;

/**
 * Read a table of instances: uplinks, Wi-Fi or clients. Resolves when the result is committed.
 * @returns whether another modem is in use than the one that is shown: then all of the router has to be read
 * @throws NoResponse
 */
export async function readTable(
  { presence, tables, ingest, clock }: Pick<ReconcileDeps, 'presence' | 'tables' | 'ingest' | 'clock'>,
  session: Session,
  name: 'uplinks' | 'wifi' | 'clients',
): Promise<boolean> {
  const { routerId } = session.router;
  if (name === 'clients') {
    await tables.record(routerId, await readClients(ingest, session), [name], session.clockSkewMs);
    return false;
  }
  // Wi-Fi leads nowhere without an uplink: both are looked at together.
  const paths = [MODEMS, ...ingest.uplinkPaths, ...(name === 'wifi' ? ingest.wifiPaths : [])];
  const responses = await readAll(session, paths);
  // The fact alone: the modem is not read as at a connect.
  const { uplink_kind: kind } = ingest.readReported(responses, session.primary, session.euicc, clock.now());
  await Promise.all([
    tables.record(routerId, responses, name === 'wifi' ? ['uplinks', 'wifi'] : ['uplinks']),
    kind === undefined ? undefined : presence.recordReport(routerId, { uplink_kind: kind }),
  ]);
  const { modem } = ingest.choosePrimary(responses);
  // A modem that restarts is none for a time: then nothing else is read, which would say that the vehicle has no SIM.
  return modem !== 0 && modem !== session.primary.modem;
}

async function readClients({ clientCountPaths, listClientPaths, countClients }: Ingest, session: Session): Promise<Responses> {
  const responses = await readAll(session, clientCountPaths);
  const count = countClients(responses);
  if (count > networks.MOST_READ_CLIENTS) return responses;
  const clientPaths = listClientPaths(count);
  const requests = count > MANY_CLIENTS ? clientPaths.map((path) => [path]) : [clientPaths];
  // oxlint-disable-next-line no-await-in-loop -- one after another: each answer is long
  for (const paths of requests) await readAll(session, paths, undefined, responses);
  return responses;
}

/**
 * The router's own report on signatures is combined with the abilities of its model. What is stored stays while they are unknown.
 * @returns whether they and what was stored before are committed; never rejects
 */
function takeAbilities(
  { presence, log }: ReconcileDeps,
  { router: { routerId, serial }, euicc }: Session,
  responses: Responses,
  abilities: Abilities | undefined,
  stored: Promise<void>,
): Promise<boolean> {
  const signature = responses.get(IMAGE_SIGNATURE) === 'required';
  const report = abilities && reportOfAbilities(abilities, signature, euicc.path !== undefined);
  if (report === undefined) log.info({ serial }, 'A router could not list its commands; they are read again later.');
  return Promise.all([stored, report && presence.recordReport(routerId, report)]).then(
    () => true,
    (error: unknown) => {
      log.warn({ err: error, serial }, 'Failed to store router capabilities.');
      return false;
    },
  );
}

/** @param hasSaid whether the router has said if it has an eUICC: only then the commands for one were looked for */
function reportOfAbilities({ firmware, bootable, config, esim, offers }: Abilities, signature: boolean, hasSaid: boolean) {
  return { ota: { firmware, bootable, config, signature }, ...(hasSaid ? { esim_support: esim } : {}), offers };
}

/** Pass reported values on without waiting for the commit. */
function takeValues(
  { presence, rejections, reports, telemetry, tables, positions, usage, ingest, log }: ReconcileDeps,
  session: Session,
  responses: Responses,
  skew: number | undefined,
  now: Date,
): Promise<void> {
  const { routerId, serial } = session.router;
  if (skew !== undefined) session.noteSkew(skew);
  const reported = takeReported(ingest, session, responses, now);
  const failed = (error: unknown) => log.warn({ err: error, serial }, 'Failed to store reported values.');
  const stored = presence.recordReport(routerId, reported, skew).catch(failed);
  const samples = ingest.readMeasured(responses.entries(), session.primary.modem, now.getTime());
  if (samples.length > 0) session.emptyPolls = 0;
  takeSignal(session, ingest, [{ values: [...responses.entries()] }]);
  tables.record(routerId, responses, ['uplinks', 'wifi']).catch(failed);
  telemetry.write(routerId, samples).catch(failed);
  positions.read(routerId, locationsOf({ positions, ingest }, session, responses))?.catch(failed);
  usage.reported(routerId, [{ at: now.getTime(), values: responses.entries() }], session.primary)?.catch(failed);
  for (const alarm of ingest.readAlarms(responses, session.primary)) reports.recordReport(routerId, alarm).catch(failed);
  const otherSerial = sanitizeLine(responses.get(`${INFO}SerialNumber`) ?? '') ?? '';
  // Serial numbers are matched in any case, as where devices are claimed.
  if (otherSerial === '' || otherSerial.toUpperCase() === serial.toUpperCase()) return stored;
  // The secret proves the router's identity; the serial number it reports never changes that.
  rejections.rejected(routerId, { reason: 'serial-mismatch', received: otherSerial, address: session.link.address });
  // One line in the history for each connection, however often it is read on it.
  if (session.otherSerial === otherSerial) return stored;
  session.otherSerial = otherSerial;
  log.warn({ serial, reported: otherSerial.slice(0, 60) }, 'A router reports a serial number that differs from the inventory.');
  presence.happened(routerId, 'cloned', 'serial-mismatch').catch(failed);
  return stored;
}

/** The PIDF-LO documents in a response, with the time next to each (TR-181 Location.{i}.AcquiredTime) by our clock. */
function locationsOf(
  { positions, ingest }: Pick<ReconcileDeps, 'positions' | 'ingest'>,
  { clockSkewMs = 0 }: Session,
  responses: Responses,
): PositionDocument[] {
  return Array.from(responses.entries()).flatMap(([path, text]) => {
    if (!positions.isLocation(path)) return [];
    const time = ingest.readTime(responses.get(path.replace(/DataObject$/u, 'AcquiredTime')) ?? '');
    return [{ text, acquiredAt: time === undefined ? undefined : time - clockSkewMs }];
  });
}

function findController(responses: Responses, controllerId: string): string | undefined {
  return responses
    .instances(CONTROLLERS)
    .map((instance) => `${CONTROLLERS}${instance}.`)
    .find((path) => responses.get(`${path}EndpointID`) === controllerId);
}

/**
 * A router that had our subscriptions and now has none was reset to factory state: the reset wipes them, so no Boot! reports it.
 */
async function noteReset(
  { presence, reports, reconnect, clock }: ReconcileDeps,
  session: Session,
  plan: UspSubscriptionPlan | undefined,
): Promise<void> {
  // Once per connection: a reset ends the connection.
  const isFirst = !session.isSubscriptionsKnown;
  if (plan === undefined) return;
  session.isSubscriptionsKnown = true;
  const { routerId } = session.router;
  if (!isFirst || plan.found > 0 || !(await presence.wasSubscribed(routerId))) return;
  reconnect.forget(routerId);
  const now = clock.now();
  await reports.lostSubscriptions(routerId, now);
  await presence.recordReport(routerId, { subscribed: false, reset_seen_at: now.toISOString() });
}

/** Store the set-up result for the device page. */
export function reportSetUp(
  { presence, log }: Pick<ReconcileDeps, 'presence' | 'log'>,
  { router: { routerId, serial }, setUp: done, emptyPolls }: Session,
  isSubscribed?: boolean,
): void {
  if (done === undefined) return;
  if (done.count > 0) log.info({ serial, faults: done.faults.slice(0, 5) }, 'A router rejected part of its set-up.');
  const isUnread = done.polled && emptyPolls >= MOST_EMPTY_POLLS;
  const reported = {
    set_up: isUnread ? { ...done, polled: false, unread: true } : done,
    ...(isSubscribed === undefined ? {} : { subscribed: isSubscribed }),
  };
  presence
    .recordReport(routerId, reported)
    .catch((error: unknown) => log.warn({ err: error, serial }, 'Failed to store the set-up result of a router.'));
}
