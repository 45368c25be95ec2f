import type { devices } from '@highline/contract';
import type { Ingest } from '../../../domains/router-state/index.ts';
import { sanitizeLine, BULK_DATA, PROFILES } from '../../../kernel/index.ts';
import type { Responses } from '../responses.ts';
import type { Session } from '../session.ts';
import {
  canReport,
  jsonSettings,
  planBulkData,
  PROFILE_NAME,
  profileSettings,
  RETAINED,
  RETAINED_REPORTS,
  TIMESTAMP,
  type BulkDataPlan,
  type Extensions,
} from './bulk-data.ts';
import { setting, wish } from './settings-of.ts';
import { PUSH, type UspSubscriptionPlan } from './usp-subscriptions.ts';
import { addObjects, deleteObjects, setObjects, type WriteRejection, type WriteResult } from './writes.ts';

export interface SetUpSettings {
  /** Interval between two Periodic! events. */
  readonly heartbeatSeconds: number;
}

/** Result of setting up a router. */
export interface SetUp {
  /** Failed parts, with the agent's own messages. */
  readonly faults: readonly devices.SetUpFault[];
  /** Whether it reports its readings itself: our profile exists and Push! is subscribed. */
  readonly isPushing: boolean;
  /** Whether our subscriptions exist and survive a restart, as far as the agent reports. */
  readonly isSubscribed: boolean;
}

type Part = devices.SetUpPart;

/** Collects rejections during the set-up of a router. */
class Faults {
  readonly all: devices.SetUpFault[] = [];

  /** @returns whether nothing was rejected */
  note(part: Part, rejections: readonly (WriteRejection | undefined)[]): boolean {
    const found = rejections.filter((rejection) => rejection !== undefined);
    // Report one line per reason, however many parameters of a part were rejected for it.
    for (const { code, message } of found) {
      const line = { part, code, message: sanitizeLine(message) ?? '' };
      const isKnown = this.all.some((one) => one.part === part && one.code === code && one.message === line.message);
      if (!isKnown && this.all.length < MOST_FAULTS) this.all.push(line);
    }
    return found.length === 0;
  }
}

const MOST_FAULTS = 10;
const rejections = (results: readonly WriteResult[]) => results.map(({ rejection }) => rejection);

export interface SetUpContext {
  /** Answers to the paths read at every connect. */
  readonly responses: Responses;
  /** Path of our row at the agent, if it was found. */
  readonly controller: string | undefined;
  /** Undefined when the agent did not report its subscriptions. */
  readonly plan: UspSubscriptionPlan | undefined;
  readonly readings: Ingest['readings'];
  /** Our extensions that the agent's data model includes; undefined = not known now. */
  readonly extensions: Extensions | undefined;
}

/**
 * Make a router notify us and report its readings: subscriptions, heartbeat and telemetry profile. Writes only differences. A
 * rejected part does not affect the others.
 * @throws NoResponse
 */
export async function setUp(session: Session, settings: SetUpSettings, context: SetUpContext): Promise<SetUp> {
  const faults = new Faults();
  const subscribed = await subscribe(session, faults, context.plan);
  await setHeartbeat(session, faults, context, settings.heartbeatSeconds);
  const hasProfile = canReport(context.responses) && (await report(session, faults, context, session.reportSeconds!));
  return { ...subscribed, faults: faults.all, isPushing: hasProfile && subscribed.isPushing };
}

async function subscribe(
  session: Session,
  faults: Faults,
  plan: UspSubscriptionPlan | undefined,
): Promise<Pick<SetUp, 'isSubscribed' | 'isPushing'>> {
  if (plan === undefined) {
    faults.note('subscriptions', [{ code: 0, message: '' }]);
    return { isSubscribed: false, isPushing: false };
  }
  faults.note('subscriptions', await deleteObjects(session, plan.remove));
  const enabled = await setObjects(
    session,
    plan.enable.map((objPath) => ({ objPath, paramSettings: [setting('Enable', 'true')] })),
  );
  const isEnabled = faults.note('subscriptions', rejections(enabled));
  const added = await addObjects(
    session,
    plan.add.map(({ object }) => object),
  );
  const failed = new Set<string>();
  for (const [index, { id, part }] of plan.add.entries()) {
    const rejection = added[index]?.rejection;
    if (rejection !== undefined) failed.add(id);
    if (part !== undefined) faults.note(part, [rejection]);
  }
  const isLasting = plan.isLasting && added.every(({ withoutParams }) => !withoutParams.has('Persistent'));
  const count = plan.found - plan.remove.length + plan.add.length - failed.size;
  return { isSubscribed: isLasting && count > 0, isPushing: isEnabled && !failed.has(PUSH) };
}

/** Configure Periodic! at our interval. */
async function setHeartbeat(
  session: Session,
  faults: Faults,
  { responses, controller }: SetUpContext,
  heartbeatSeconds: number,
): Promise<void> {
  const seconds = String(heartbeatSeconds);
  const current = controller === undefined ? undefined : responses.get(`${controller}PeriodicNotifInterval`);
  if (controller === undefined || current === undefined || current === seconds) return;
  const paramSettings = [setting('PeriodicNotifInterval', seconds)];
  faults.note('heartbeat', rejections(await setObjects(session, [{ objPath: controller, paramSettings }])));
}

/** @returns whether the router has our profile, complete and enabled */
async function report(
  session: Session,
  faults: Faults,
  { responses, readings, extensions }: SetUpContext,
  seconds: number,
): Promise<boolean> {
  const plan = planBulkData(responses, readings, seconds, extensions);
  const switched = plan.switchOn
    ? await setObjects(session, [{ objPath: BULK_DATA, paramSettings: [setting('Enable', 'true')] }])
    : [];
  const isOn = faults.note('telemetry', rejections(switched));
  const isWhole =
    plan.profile === undefined
      ? await makeProfile(session, faults, plan)
      : await mendProfile(session, faults, plan, plan.profile);
  return isOn && isWhole;
}

/** Enable the profile only when it is complete: one left incomplete is found by its name and completed at the next connect. */
async function makeProfile(session: Session, faults: Faults, plan: BulkDataPlan): Promise<boolean> {
  if (plan.addReferences.length === 0) return false;
  const paramSettings = [
    setting('Name', PROFILE_NAME),
    ...Array.from(profileSettings(plan.interval), ([name, value]) => setting(name, value)),
  ];
  const [made] = await addObjects(session, [{ objPath: PROFILES, paramSettings }]);
  faults.note('telemetry', [made?.rejection]);
  if (made?.path === undefined) return false;
  const change = new Map([...jsonSettings, ['Enable', 'true']]);
  return mendProfile(session, faults, { ...plan, retains: false, change }, made.path);
}

async function mendProfile(session: Session, faults: Faults, plan: BulkDataPlan, profile: string): Promise<boolean> {
  session.profile = profile;
  const removed = await deleteObjects(session, plan.removeParameters);
  const added = await addObjects(
    session,
    plan.addReferences.map((reference) => ({
      objPath: `${profile}Parameter.`,
      paramSettings: [setting('Reference', reference)],
    })),
  );
  if (!plan.retains) await retain(session, profile);
  const changed = await setObjects(session, profileChanges(profile, plan.change));
  return faults.note('telemetry', [...removed, ...rejections(added), ...rejections(changed)]);
}

/**
 * Reports kept while disconnected: the desired number, else as many as fit, else the largest of these that the agent accepts.
 */
async function retain(session: Session, profile: string): Promise<void> {
  for (const count of RETAINED_REPORTS) {
    const paramSettings = [setting(RETAINED, String(count))];
    const [result] = await setObjects(session, [{ objPath: profile, paramSettings }]);
    if (result?.rejection === undefined) return;
  }
}

/** Parameters of the profile and of its JSON object, grouped by object; Enable comes last. */
function profileChanges(profile: string, changes: ReadonlyMap<string, string>) {
  const byObject = Map.groupBy(changes, ([name]) => profile + name.slice(0, name.lastIndexOf('.') + 1));
  const objects = Array.from(byObject, ([objPath, entries]) => ({
    objPath,
    paramSettings: entries.map(([name, value]) =>
      (name === TIMESTAMP ? wish : setting)(name.slice(name.lastIndexOf('.') + 1), value),
    ),
  }));
  return objects.sort((a, b) => b.objPath.length - a.objPath.length);
}
